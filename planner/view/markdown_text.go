// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// fold writes a collapsed block of preformatted text, or nothing if the text
// is blank. The fence is longer than any run of backticks in the text.
func fold(b *strings.Builder, title, language, body string) {
	if strings.TrimSpace(body) == "" {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(body, '`')+1))
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n%s%s\n%s%s\n\n</details>\n", inline(title), fence, language, body, fence)
}

func secrets(b *strings.Builder, c *planner.Change) {
	if len(c.Secrets) == 0 {
		return
	}
	states := make([]string, len(c.Secrets))
	for i, s := range c.Secrets {
		states[i] = fmt.Sprintf("%s (%s)", code(s.Name), s.State)
	}
	fmt.Fprintf(b, "\nSecrets of %s: %s\n", code(c.Address.String()), strings.Join(states, ", "))
}

// special escapes characters with a special meaning in Markdown or HTML.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "]", `\]`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "&#64;", "#", `\#`, "~", `\~`, "\n", " ", "\t", " ")

// inline escapes a string for Markdown: it cannot add markup, and an @ notifies
// nobody.
func inline(text string) string { return clean(special.Replace(text)) }

// code formats inline code, also for use in tables.
func code(text string) string {
	text = strings.ReplaceAll(clean(strings.ReplaceAll(text, "\n", " ")), "|", `\|`)
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
