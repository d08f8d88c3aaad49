// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/openpai/terraform-provider-openpai/examples"
	"github.com/openpai/terraform-provider-openpai/provider"
)

// providerPages uses the layout of the Terraform Registry. The content comes
// from the provider's schema and examples/.
func providerPages() map[string][]byte {
	s, err := provider.NewServer("", providerserver.NewProtocol6).GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || len(s.Diagnostics) > 0 {
		panic(fmt.Sprint("docgen: the schema of the provider: ", err, s.Diagnostics))
	}
	pages := map[string][]byte{"index.md": indexPage(s.Provider)}
	for name, r := range s.ResourceSchemas {
		pages["resources/"+short(name)+".md"] = schemaPage(page{name: name, kind: "Resource", dir: "resources", example: "resource.tf"}, r)
	}
	for name, r := range s.DataSourceSchemas {
		pages["data-sources/"+short(name)+".md"] = schemaPage(page{name: name, kind: "Data Source", dir: "data-sources", example: "data-source.tf"}, r)
	}
	for name, r := range s.ListResourceSchemas {
		pages["list-resources/"+short(name)+".md"] = schemaPage(page{name: name, kind: "List Resource", dir: "list-resources", example: "list-resource.tfquery.hcl"}, r)
	}
	for name, a := range s.ActionSchemas {
		pages["actions/"+short(name)+".md"] = schemaPage(page{name: name, kind: "Action", dir: "actions", example: "action.tf"}, a.Schema)
	}
	for name, f := range s.Functions {
		pages["functions/"+name+".md"] = functionPage(name, f)
	}
	return pages
}

func short(name string) string { return strings.TrimPrefix(name, "openpai_") }

// page is a documentation page that shows a schema and an example.
type page struct{ name, kind, dir, example string }

// front returns the front matter that the Registry reads.
func front(title, description string) string {
	summary, _, _ := strings.Cut(description, ". ")
	return fmt.Sprintf("---\npage_title: %q\nsubcategory: \"\"\ndescription: |-\n  %s\n---\n\n", title, strings.TrimSuffix(summary, ".")+".")
}

func indexPage(s *tfprotov6.Schema) []byte {
	var b strings.Builder
	// The Registry rejects a subcategory on this page.
	b.WriteString(strings.Replace(front("Provider: OpenPAI", s.Block.Description), "subcategory: \"\"\n", "", 1))
	b.WriteString("# OpenPAI Provider\n\n" + s.Block.Description + "\n\n")
	b.WriteString(`Guides: [from YAML to Terraform in ten minutes](guides/yaml-to-terraform.md), [OpenTofu](guides/opentofu.md), [CI](guides/ci.md).

`)
	b.WriteString("## Example Usage\n\n" + code("provider/provider.tf", "terraform"))
	writeSchema(&b, s)
	return []byte(b.String())
}

func schemaPage(p page, s *tfprotov6.Schema) []byte {
	var b strings.Builder
	b.WriteString(front(p.name+" "+p.kind+" - OpenPAI", s.Block.Description))
	fmt.Fprintf(&b, "# %s (%s)\n\n%s\n\n", p.name, p.kind, s.Block.Description)
	b.WriteString("## Example Usage\n\n" + code(p.dir+"/"+p.name+"/"+p.example, "terraform"))
	writeSchema(&b, s)
	if _, err := fs.Stat(examples.FS, p.dir+"/"+p.name+"/import.sh"); err == nil {
		b.WriteString("\n## Import\n\n" + code(p.dir+"/"+p.name+"/import.sh", "shell"))
		b.WriteString("With Terraform 1.12 or later, or OpenTofu 1.12 or later, you can also import by identity:\n\n" + code(p.dir+"/"+p.name+"/import-by-identity.tf", "terraform"))
	}
	return []byte(b.String())
}

func code(file, language string) string {
	text, err := fs.ReadFile(examples.FS, file)
	if err != nil {
		panic("docgen: " + err.Error())
	}
	return "```" + language + "\n" + strings.TrimSpace(string(text)) + "\n```\n\n"
}

func functionPage(name string, f *tfprotov6.Function) []byte {
	var b strings.Builder
	b.WriteString(front(name+" function - OpenPAI", f.Summary))
	fmt.Fprintf(&b, "# function: %s\n\n%s\n\n## Example Usage\n\n", name, f.Description)
	b.WriteString(code("functions/"+name+"/function.tf", "terraform"))
	names := make([]string, len(f.Parameters))
	for i, p := range f.Parameters {
		names[i] = p.Name + " " + typeName(p.Type)
	}
	fmt.Fprintf(&b, "## Signature\n\n```text\n%s(%s) %s\n```\n\n## Arguments\n\n", name, strings.Join(names, ", "), typeName(f.Return.Type))
	for i, p := range f.Parameters {
		fmt.Fprintf(&b, "%d. `%s` (%s) %s\n", i+1, p.Name, typeName(p.Type), p.Description)
	}
	return []byte(b.String())
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
