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

// AddTo adds the item to a task role in an HCL file and preserves comments and
// other content. It declares missing input variables at the end of the file.
func (u Use) AddTo(at RoleOf, src []byte) ([]byte, error) {
	return at.edit(src, u.insert, u.missingVariables)
}

// edit changes the block of the role and appends text to the file. A formatted
// file stays formatted.
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

// findRole returns the block of a task role.
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
		return nil, message.WithHint(fmt.Errorf("%s has the task role %q in several jobs (%s)", name, role, quoted(jobs)), message.Hint{Kind: message.HintChooseJob})
	case job != "" && !slices.Contains(jobs, job):
		return nil, fmt.Errorf("%s has no job %q; its jobs are %s.%s", name, job, quoted(jobs), hclspec.Suggest(job, jobs))
	}
	return nil, fmt.Errorf("%s has no task role %q; its task roles are %s.%s", name, role, quoted(roles), hclspec.Suggest(role, roles))
}

// insert inserts the reference into the block.
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
	at := block.OpenBraceRange.End.Byte
	_, next, _ := bytes.Cut(src[at:block.CloseBraceRange.Start.Byte], []byte("\n"))
	indent := next[:len(next)-len(bytes.TrimLeft(next, " \t"))]
	return slices.Concat(src[:at], []byte("\n"), indent, []byte(line), src[at:])
}

// append appends an element to a list. If the list has several lines, the
// element gets its own line, so that comments stay next to their elements.
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
	if bytes.ContainsRune(between, '\n') {
		return slices.Concat(src[:last], []byte(separator), bytes.TrimRight(between, " \t"), []byte(u.element()+",\n"), src[end:]), nil
	}
	if len(list.Exprs) > 0 {
		separator += " "
	}
	return slices.Concat(src[:last], bytes.TrimRight(between, " \t"), []byte(separator+u.element()), src[end:]), nil
}
