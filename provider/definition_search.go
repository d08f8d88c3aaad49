// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

func (c *connection) definitions(ctx context.Context) ([]*definition, error) {
	jobs, err := c.jobs(ctx)
	if err != nil {
		return nil, err
	}
	var all []*definition
	for _, job := range jobs {
		if declaration, err := shape.ParseJSON(job.Declaration); err == nil {
			all = collectDefinitions(all, declaration)
		}
	}
	return all, nil
}

// collectDefinitions adds the definitions in a tree to the slice all.
func collectDefinitions(all []*definition, tree any) []*definition {
	switch v := tree.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			all = collectDefinitions(all, v[key])
		}
	case []any:
		for _, e := range v {
			all = collectDefinitions(all, e)
		}
	case string:
		if def, ok := parseDefinition(v); ok {
			all = append(all, def)
		}
	}
	return all
}

// replaceReferences applies change to each reference in a body.
func replaceReferences(tree any, change func(string) string) {
	switch v := tree.(type) {
	case map[string]any:
		for key, e := range v {
			if text, ok := e.(string); ok && (key == "use" || key == "image") {
				v[key] = change(text)
			}
			replaceReferences(e, change)
		}
	case []any:
		for _, e := range v {
			replaceReferences(e, change)
		}
	}
}

// reference converts a key to a definition, because references in a
// configuration are definitions. It does not change other strings.
func (d *definition) reference(text string) string {
	if d.all()[text] == nil {
		return text
	}
	return d.subset(text).text()
}

// subset returns a definition that contains the body with the given key and
// all requirements of that body.
func (d *definition) subset(key string) *definition {
	out := newDefinition(key)
	out.copyBody(d, key)
	return out
}

func (d *definition) copyBody(from *definition, key string) {
	body := from.all()[key]
	if body == nil || d.all()[key] != nil {
		return
	}
	d.put(key, body)
	if item, ok := from.items[key]; ok {
		d.items[key] = item
	}
	replaceReferences(bodyTree(body), func(target string) string {
		d.copyBody(from, target)
		return target
	})
}
