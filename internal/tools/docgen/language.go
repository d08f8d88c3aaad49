// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

const generatedNote = "<!-- Generated from the field table by `make generate`. -->\n\n"

func languagePages() map[string][]byte {
	all := map[string][]byte{}
	for _, b := range append([]*hclspec.Block{hclspec.ModuleBlock, hclspec.OutputBlock}, hclspec.RootBlocks...) {
		var page bytes.Buffer
		page.WriteString(guideFront(b.Name+" block", "The fields of the "+b.Name+" block.", "Language") + generatedNote)
		fmt.Fprintf(&page, "# %s\n\n", heading(b))
		writeBlock(&page, b, 2)
		all["docs/guides/language-"+b.Name+".md"] = page.Bytes()
	}
	return all
}

// guideFront returns the front matter of a guide in the Terraform Registry.
func guideFront(title, description, category string) string {
	return fmt.Sprintf("---\npage_title: %q\nsubcategory: %q\ndescription: |-\n  %s\n---\n\n", title, category, description)
}

func heading(b *hclspec.Block) string {
	words := []string{"`" + b.Name}
	for _, l := range b.Labels {
		words = append(words, fmt.Sprintf("%q", strings.ToUpper(l)))
	}
	return strings.Join(words, " ") + "`"
}

// writeBlock writes nested blocks after the fields, one heading level deeper.
func writeBlock(page *bytes.Buffer, b *hclspec.Block, level int) {
	if b.Doc != "" {
		page.WriteString(b.Doc + "\n\n")
	}
	page.WriteString("| name | type | default | in the protocol | effect of a change | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	var nested []*hclspec.Field
	for i := range b.Fields {
		f := &b.Fields[i]
		if slices.Contains(b.Labels, f.Go) && f.Name != "name" {
			continue
		}
		if f.Block != nil {
			nested = append(nested, f)
		}
		fmt.Fprintf(page, "| `%s`%s | %s | %s | %s | %s | %s |\n",
			f.Name, star(f), kindName(f), defaultText(f), protocolName(f), effectText(f), f.Doc)
	}
	page.WriteString("\nAn asterisk marks required fields.\n")
	for _, f := range nested {
		fmt.Fprintf(page, "\n%s %s\n\n", strings.Repeat("#", min(level, 5)), heading(f.Block))
		if slices.Contains(hclspec.RootBlocks, f.Block) {
			fmt.Fprintf(page, "See [%[1]s](language-%[1]s.md).\n", f.Block.Name)
			continue
		}
		writeBlock(page, f.Block, level+1)
	}
}

func star(f *hclspec.Field) string {
	if f.Required {
		return " *"
	}
	return ""
}

var kindNames = map[hclspec.Kind]string{
	hclspec.String: "string", hclspec.Bool: "bool", hclspec.Int: "integer",
	hclspec.OptionalInt: "integer", hclspec.OptionalBool: "bool", hclspec.OptionalString: "string",
	hclspec.Dur: "duration, such as `1h30m`", hclspec.Strings: "list of strings", hclspec.OneOrMore: "string or list of strings",
	hclspec.StringMap: "map of strings", hclspec.IntMap: "map of integers", hclspec.Any: "any value",
	hclspec.AnyList: "list", hclspec.AnyMap: "map", hclspec.Ref: "reference",
	hclspec.Refs: "list of references", hclspec.StorageUses: "list of storages", hclspec.Text: "string",
	hclspec.Object: "block", hclspec.OptionalObject: "block", hclspec.Objects: "blocks",
}

func kindName(f *hclspec.Field) string {
	name := kindNames[f.Kind]
	if f.Format == hclspec.FormatDuration {
		name = kindNames[hclspec.Dur]
	}
	if len(f.Values) > 0 {
		name = "`" + strings.Join(f.Values, "`, `") + "`"
	}
	if f.Min != nil {
		name += fmt.Sprintf(", %d to %d", *f.Min, *f.Max)
	}
	return name
}

func defaultText(f *hclspec.Field) string {
	if f.Default == nil {
		return ""
	}
	return fmt.Sprintf("`%v`", f.Default)
}

func protocolName(f *hclspec.Field) string {
	if f.Protocol == "" {
		return ""
	}
	return "`" + f.Protocol + "`"
}

func effectText(f *hclspec.Field) string {
	if f.Block != nil {
		return ""
	}
	switch f.Effect {
	case hclspec.EffectNone:
		return "restarts nothing"
	case hclspec.EffectInPlace:
		return "in place"
	}
	return "replaces"
}
