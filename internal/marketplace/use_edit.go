// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// RoleOf identifies a task role in an HCL file. Job may be empty if only one
// job has the role.
type RoleOf struct {
	File, Job, Role string
}

// AddTo adds the item to a task role in an HCL file. It preserves comments and all
// other content. It adds the declarations of missing input variables at the end of
// the file.
func (u Use) AddTo(at RoleOf, src []byte) ([]byte, error) {
	return at.edit(src, u.insert, u.missingVariables)
}

// edit changes the block of the role and appends the text from end. If the file
// is formatted, edit formats the result.
func (at RoleOf) edit(src []byte, change func([]byte, *hclsyntax.Block) ([]byte, error), end func(*hclsyntax.Body) string) ([]byte, error) {
	body, diags := syntax.ParseNative(at.File, src)
	if diags.HasErrors() {
		return nil, diags
	}
	block, err := findRole(at.File, body, at.Job, at.Role)
	if err != nil {
		return nil, err
	}
	tidy := bytes.Equal(hclwrite.Format(src), src)
	out, err := change(src, block)
	if err != nil {
		return nil, err
	}
	out = append(out, end(body)...)
	if tidy {
		out = hclwrite.Format(out)
	}
	return out, nil
}

func (u Use) missingVariables(body *hclsyntax.Body) string {
	var known []string
	for _, b := range body.Blocks {
		if b.Type == "variable" && len(b.Labels) == 1 {
			known = append(known, b.Labels[0])
		}
	}
	rest := u
	rest.With = map[string]string{}
	for _, v := range u.Prerequisite.TemplateVariables {
		_, input := u.With[v.Name]
		if input || slices.Contains(known, variable(v.Name)) {
			rest.With[v.Name] = ""
		}
	}
	if text := rest.variables(); text != "" {
		return "\n" + strings.TrimSuffix(text, "\n")
	}
	return ""
}

func findRole(name string, body *hclsyntax.Body, job, role string) (*hclsyntax.Block, error) {
	var jobs, roles []string
	var found []*hclsyntax.Block
	for _, j := range body.Blocks {
		if j.Type != "job" || len(j.Labels) != 1 {
			continue
		}
		jobs = append(jobs, j.Labels[0])
		if job != "" && j.Labels[0] != job {
			continue
		}
		for _, r := range j.Body.Blocks {
			if r.Type != "task_role" || len(r.Labels) != 1 {
				continue
			}
			roles = append(roles, r.Labels[0])
			if r.Labels[0] == role {
				found = append(found, r)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, message.WithHint(fmt.Errorf("several jobs in %s have the task role %q (%s)", name, role, quoted(jobs)), message.Hint{Kind: message.HintChooseJob})
	case job != "" && !slices.Contains(jobs, job):
		return nil, fmt.Errorf("%s has no job %q; its jobs are %s.%s", name, job, quoted(jobs), hclspec.Suggest(job, jobs))
	}
	return nil, fmt.Errorf("%s has no task role %q; its task roles are %s.%s", name, role, quoted(roles), hclspec.Suggest(role, roles))
}

func (u Use) insert(src []byte, block *hclsyntax.Block) ([]byte, error) {
	if u.Type == "dockerimage" {
		if a := block.Body.Attributes["image"]; a != nil {
			return splice(src, a.Expr.Range(), u.element()), nil
		}
		return addLine(src, block, "image = "+u.element()), nil
	}
	a := block.Body.Attributes["prerequisites"]
	if a == nil {
		return addLine(src, block, "prerequisites = ["+u.element()+"]"), nil
	}
	list, literal := a.Expr.(*hclsyntax.TupleConsExpr)
	if !literal {
		at := a.Expr.Range()
		return splice(src, at, "concat("+string(at.SliceBytes(src))+", ["+u.element()+"])"), nil
	}
	return u.append(src, list)
}

func splice(src []byte, at hcl.Range, text string) []byte {
	return slices.Concat(src[:at.Start.Byte], []byte(text), src[at.End.Byte:])
}

// addLine inserts an argument as the first line of a block, indented like the next
// line.
func addLine(src []byte, block *hclsyntax.Block, line string) []byte {
	at, end := block.OpenBraceRange.End.Byte, block.CloseBraceRange.Start.Byte
	outside := indentAt(src, block.OpenBraceRange.Start.Byte)
	_, next, several := bytes.Cut(src[at:end], []byte("\n"))
	indent := leadingBlanks(next)
	if len(bytes.TrimSpace(next)) == 0 {
		indent = outside + indentStep
	}
	lines := "\n" + indent + line
	if several {
		return slices.Concat(src[:at], []byte(lines), src[at:])
	}
	if only := bytes.TrimSpace(src[at:end]); len(only) > 0 {
		lines += "\n" + indent + string(only)
	}
	return slices.Concat(src[:at], []byte(lines+"\n"+outside), src[end:])
}

// indentStep is the indentation of hclwrite for one level.
const indentStep = "  "

func indentAt(src []byte, at int) string {
	return leadingBlanks(src[bytes.LastIndexByte(src[:at], '\n')+1:])
}

func leadingBlanks(line []byte) string {
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// append appends an element to a list. If the list spans several lines, append
// puts the element on a separate line. Comments then remain next to their
// elements.
func (u Use) append(src []byte, list *hclsyntax.TupleConsExpr) ([]byte, error) {
	end := list.SrcRange.End.Byte - 1 // position of the bracket
	last := list.OpenRange.End.Byte
	if n := len(list.Exprs); n > 0 {
		last = list.Exprs[n-1].Range().End.Byte
	}
	between := src[last:end]
	tokens, diags := hclsyntax.LexExpression(between, "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	comma := len(list.Exprs) == 0
	for _, t := range tokens {
		comma = comma || t.Type == hclsyntax.TokenComma
	}
	separator := ""
	if !comma {
		separator = ","
	}
	if line := bytes.LastIndexByte(between, '\n') + 1; line > 0 && len(bytes.TrimSpace(between[line:])) == 0 {
		added := elementIndent(src, list, end) + u.element() + ",\n"
		return slices.Concat(src[:last], []byte(separator), between[:line], []byte(added), between[line:], src[end:]), nil
	}
	if len(list.Exprs) > 0 {
		separator += " "
	}
	return slices.Concat(src[:last], bytes.TrimRight(between, " \t"), []byte(separator+u.element()), src[end:]), nil
}

// elementIndent returns the indentation for a new element. The closing bracket
// must be on a separate line. If the last element is below the line of the
// opening bracket, elementIndent returns the indentation of that element.
// Otherwise, it returns the indentation of the closing bracket plus one step.
func elementIndent(src []byte, list *hclsyntax.TupleConsExpr, end int) string {
	if n := len(list.Exprs); n > 0 && list.Exprs[n-1].Range().Start.Line > list.OpenRange.Start.Line {
		return indentAt(src, list.Exprs[n-1].Range().Start.Byte)
	}
	return indentAt(src, end) + indentStep
}
