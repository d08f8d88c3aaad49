// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// runRender checks that all secrets in references exist. The task itself
// replaces the references, only in memory.
func runRender(_ context.Context, c *container, _ []string, _ bool) (int, error) {
	if !c.configured {
		return 0, nil // the planner has already checked the references
	}
	missing := map[string]bool{}
	for _, text := range templates(c.spec) {
		for _, tag := range template.Tags(text) {
			name, isSecret := tag.Ref.Secret()
			if !isSecret {
				continue
			}
			if _, known := c.secrets[name]; !known {
				missing["<% "+tag.Ref.Text+" %>"] = true
			}
		}
	}
	if len(missing) > 0 {
		return exitspec.CodeConfiguration, configErrorf("%s has no value", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return 0, nil
}

// templates returns the configuration strings that can refer to a secret.
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

// appendStrings appends every string in a YAML value, except for keys.
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
