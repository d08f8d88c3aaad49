package provider

import (
	"context"
	"encoding/json"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// parseDefinition reads a text that may be a definition.
func parseDefinition(text string) (*definition, bool) {
	var def definition
	if !isDefinition(text) || json.Unmarshal([]byte(text), &def) != nil || def.Use == "" {
		return nil, false
	}
	return &def, true
}

// definitions are those that the jobs of the workspace were declared with.
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

// collectDefinitions adds the definitions that stand in a tree.
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

// replaceReferences replaces the references in a body by what change returns.
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

// reference returns what a configuration writes to refer to a body: its
// definition. A text that names no body is kept.
func (d *definition) reference(text string) string {
	if _, ok := d.Prerequisites[text]; ok {
		return d.subset(text).text()
	}
	for key := range d.Storages {
		if withoutHash(key) == text {
			return d.subset(key).text()
		}
	}
	return text
}

// subset returns the definition of one body with all that it needs.
func (d *definition) subset(key string) *definition {
	out := &definition{Use: key, Prerequisites: bodies{}, Storages: bodies{}}
	out.copyBody(d, key)
	return out
}

func (d *definition) copyBody(from *definition, key string) {
	body, into := from.Prerequisites[key], d.Prerequisites
	if body == nil {
		body, into = from.Storages[key], d.Storages
	}
	if body == nil || into[key] != nil {
		return
	}
	into[key] = body
	tree, err := shape.ParseJSON(body)
	if err != nil {
		return
	}
	replaceReferences(tree, func(name string) string {
		d.copyBody(from, name)
		for other := range from.Storages {
			if withoutHash(other) == name {
				d.copyBody(from, other)
			}
		}
		return name
	})
}
