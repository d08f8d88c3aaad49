// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Use is an item with values for its template variables.
type Use struct {
	*Found
	With map[string]string
	// Market is the marketplace that a skeleton declares, or nil.
	Market *hclspec.Marketplace
}

// element returns the HCL element for a list of prerequisites. A template
// variable without a value or default refers to an input variable.
func (u Use) element() string {
	var pairs []string
	for _, v := range u.Prerequisite.TemplateVariables {
		value, input := u.With[v.Name]
		switch {
		case input:
			pairs = append(pairs, key(v.Name)+" = "+quote(value))
		case v.Default == nil:
			pairs = append(pairs, key(v.Name)+" = var."+variable(v.Name))
		}
	}
	if len(pairs) == 0 {
		return quote(u.Address)
	}
	return "{ use = " + quote(u.Address) + ", with = { " + strings.Join(pairs, ", ") + " } }"
}

// open returns the template variables that have neither a value nor a
// default.
func (u Use) open() []*hclspec.TemplateVariable {
	var all []*hclspec.TemplateVariable
	for _, v := range u.Prerequisite.TemplateVariables {
		if _, input := u.With[v.Name]; !input && v.Default == nil {
			all = append(all, v)
		}
	}
	return all
}

// Skeleton returns a job that uses a prerequisite.
func (u Use) Skeleton() []byte {
	var b strings.Builder
	if u.Market != nil {
		fmt.Fprintf(&b, "marketplace %s {\n  source = %s\n}\n\n", quote(u.Market.Name), quote(u.Market.Source))
	}
	b.WriteString(u.variables())
	image, list := quote("openpai/standard:python_3.6-pytorch_1.2.0-gpu"), "["+u.element()+"]"
	if u.Type == "dockerimage" {
		image, list = u.element(), "[]"
	}
	fmt.Fprintf(&b, `job %s {
  task_role "worker" {
    image         = %s
    prerequisites = %s
    commands      = ["echo replace this with your own commands"]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 1024
    }
  }
}
`, quote(jobName(u.Definition())), image, list)
	return hclwrite.Format([]byte(b.String()))
}

func (u Use) variables() string {
	var b strings.Builder
	for _, v := range u.open() {
		fmt.Fprintf(&b, "variable %s {\n  type = string\n", quote(variable(v.Name)))
		if v.Description != "" {
			fmt.Fprintf(&b, "  description = %s\n", quote(v.Description))
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

func jobName(s string) string {
	return cmp.Or(strings.Trim(notInName.ReplaceAllString(s, "-"), "-"), "job")
}

func variable(s string) string {
	name := strings.ReplaceAll(notInName.ReplaceAllString(s, "_"), "-", "_")
	if !hclsyntax.ValidIdentifier(name) {
		name = "v_" + name
	}
	return name
}

func key(name string) string {
	if hclsyntax.ValidIdentifier(name) {
		return name
	}
	return quote(name)
}

func quote(s string) string { return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes()) }
