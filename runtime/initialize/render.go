package initialize

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// runRender makes sure that every secret that the configuration refers to is
// there. The values are filled in by the task itself, in memory.
func runRender(_ context.Context, c *container, _ []string, _ bool) (int, error) {
	if !c.configured {
		return 0, nil // the planner has seen to it
	}
	missing := map[string]bool{}
	for _, text := range templates(c.spec) {
		for _, tag := range template.Tags(text) {
			if tag.Ref.Root != "secrets" {
				continue
			}
			if _, known := c.secrets[secretName(tag.Ref)]; !known {
				missing["<% "+tag.Ref.Text+" %>"] = true
			}
		}
	}
	if len(missing) > 0 {
		return exitspec.CodeConfiguration, configErrorf("there is no value for %s", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return 0, nil
}

// templates are the texts of a configuration that may refer to a secret.
func templates(spec *runspec.Spec) []string {
	all := slices.Clone(spec.Commands)
	for _, s := range spec.Steps {
		for _, c := range s.Callbacks {
			all = append(all, c.Commands...)
		}
		all = appendStrings(all, s.Parameters)
	}
	return all
}

// appendStrings adds every text in a value of YAML, keys omitted.
func appendStrings(all []string, value any) []string {
	switch v := value.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, element := range v {
			all = appendStrings(all, element)
		}
	case map[string]any:
		for _, element := range v {
			all = appendStrings(all, element)
		}
	}
	return all
}

// secretName is the name that readSecrets gives to what a reference leads to.
func secretName(ref template.Ref) string {
	var parts []string
	for _, p := range ref.Path {
		parts = append(parts, fmt.Sprint(p))
	}
	return strings.Join(parts, ".")
}
