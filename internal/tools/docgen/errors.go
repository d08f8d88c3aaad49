// SPDX-License-Identifier: MPL-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/tools/example"
	"github.com/openpai/terraform-provider-openpai/provider"
)

const errorsIntro = `<!-- Generated from the catalog by "make generate". -->

# Errors and warnings

Every diagnostic has a code. Text output shows the code in brackets after the summary,
and JSON output contains it in a field. The table lists all codes. Below the table,
each code has an explanation, a remedy and an example with its output. The openpai CLI
and Terraform can have different remedies. The examples run when this page is
generated.

`

// errorsPage documents the catalog. The page is generated only once per process,
// because its examples take several seconds.
var errorsPage = sync.OnceValues(makeErrorsPage)

func makeErrorsPage() ([]byte, error) {
	var b strings.Builder
	b.WriteString(guideFront("Errors and warnings", "Every diagnostic with its cause, remedy and an example.", "") + errorsIntro)
	entries := hclspec.Catalog()
	b.WriteString("| code | kind | summary |\n| --- | --- | --- |\n")
	for _, e := range entries {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", e.Code, e.Code, kindOf(e), e.Summary)
	}
	for _, entry := range entries {
		if err := writeEntry(&b, entry); err != nil {
			return nil, err
		}
	}
	return []byte(b.String()), nil
}

func kindOf(e *hclspec.Entry) string {
	if e.Severity == hcl.DiagError {
		return "error"
	}
	return "warning"
}

func writeEntry(b *strings.Builder, entry *hclspec.Entry) error {
	fmt.Fprintf(b, "\n## %s\n\n%s: %s. %s\n", entry.Code, strings.ToUpper(kindOf(entry)[:1])+kindOf(entry)[1:], lowerFirst(entry.Summary), entry.Advice)
	writeRemedies(b, entry.Code)
	e, err := readExample(entry.Code)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a test reports this
	}
	if err != nil {
		return err
	}
	printed, err := e.print()
	if err != nil {
		return err
	}
	for _, f := range e.Files {
		if strings.HasPrefix(f.Name, "server/api") {
			continue // from a cluster
		}
		fmt.Fprintf(b, "\n`%s`\n\n%s", strings.ReplaceAll(f.Name, "HOST", exampleHost), fenced(language(f.Name), strings.ReplaceAll(example.Shown(string(f.Data)), "HOST", exampleHost)))
	}
	if e.Live != nil {
		fmt.Fprintf(b, "\nThe cluster has this state:\n\n%s", fenced("json", string(e.Live)))
	}
	fmt.Fprintf(b, "\n%s", fenced("text", e.commands()+printed+"\n"))
	return nil
}

func writeRemedies(b *strings.Builder, code string) {
	commandLine, terraform := cli.Remedy(code), provider.Remedy(code)
	switch {
	case commandLine == "" && terraform == "":
	case commandLine == terraform:
		fmt.Fprintf(b, "\n- CLI and Terraform: %s\n", commandLine)
	case terraform == "":
		fmt.Fprintf(b, "\n- CLI: %s\n", commandLine)
	case commandLine == "":
		fmt.Fprintf(b, "\n- Terraform: %s\n", terraform)
	default:
		fmt.Fprintf(b, "\n- CLI: %s\n- Terraform: %s\n", commandLine, terraform)
	}
}

func (e *session) commands() string {
	if e.Live != nil {
		return "$ openpai plan .\n"
	}
	var b strings.Builder
	for _, s := range e.Steps {
		switch s.Verb {
		case "run":
			fmt.Fprintf(&b, "$ openpai %s\n", s.Text)
		case "set":
			fmt.Fprintf(&b, "$ export %s\n", s.Text)
		case "copy":
			fmt.Fprintf(&b, "$ cp %s\n", s.Text)
		case "link":
			name, target, _ := strings.Cut(s.Text, " ")
			fmt.Fprintf(&b, "$ ln -s ../%s %s\n", target, name)
		case "damage":
			fmt.Fprintf(&b, "$ rm -r %s; touch %s\n", s.Text, s.Text)
		case "terraform":
			fmt.Fprintf(&b, "$ terraform %s\n", command(s.Text))
		case "plan-without-mounts":
			b.WriteString("$ openpai plan .\n")
		}
	}
	return b.String()
}

// command returns the Terraform command for a step. A move step becomes
// "plan" with a comment, because Terraform moves a resource with a moved
// block.
func command(step string) string {
	if strings.HasPrefix(step, "move ") {
		return "plan # after adding a moved block for the resource in the state file"
	}
	return step
}

// lowerFirst lower-cases the first letter of a string, unless the first word has
// other capital letters, such as HiveD or SKU.
func lowerFirst(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if len(word) > 0 && strings.ToLower(word[1:]) == word[1:] {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

func language(name string) string {
	switch {
	case strings.HasSuffix(name, ".tf"):
		return "terraform"
	case strings.HasSuffix(name, ".hcl"):
		return "hcl"
	case strings.HasSuffix(name, ".json"):
		return "json"
	case strings.HasSuffix(name, ".yaml"):
		return "yaml"
	}
	return "text"
}

// fenced returns the text in a code block. The fence is longer than any fence
// in the text.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}
