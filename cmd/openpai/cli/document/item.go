// SPDX-License-Identifier: MPL-2.0

package document

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// Items is the JSON document for a list of marketplace items.
type Items struct {
	Head
	Items []ListedItem `json:"items"`
	Foot
}

// NewItems returns the document for a list of items.
func NewItems(all []ListedItem) *Items {
	return &Items{Head: head(), Items: append([]ListedItem{}, all...), Foot: foot()}
}

// Empty implements [Partial].
func (i *Items) Empty() bool { return len(i.Items) == 0 }

// ListedItem is a marketplace item in a list.
type ListedItem struct {
	Reference  string   `json:"reference" doc:"Reference to the item in a workspace"`
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Version    string   `json:"version,omitempty"`
	ID         string   `json:"id,omitempty"`
	From       string   `json:"from" doc:"Name of the marketplace"`
	Title      string   `json:"title,omitempty"`
	Summary    string   `json:"summary,omitempty"`
	Author     string   `json:"author,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Visibility string   `json:"visibility,omitempty"`
	Source     string   `json:"source" doc:"Location of the item"`
	Hash       string   `json:"hash" doc:"Hash of the content"`
	// About is the item's one-line description in a table.
	About string `json:"-"`
}

// Item is a marketplace item with its transitive requirements.
type Item struct {
	Head
	Reference    string        `json:"reference" doc:"Reference to the item in a workspace"`
	Name         string        `json:"name"`
	Type         string        `json:"type"`
	Version      string        `json:"version,omitempty"`
	ID           string        `json:"id,omitempty"`
	Title        string        `json:"title,omitempty"`
	Summary      string        `json:"summary,omitempty"`
	Description  string        `json:"description,omitempty"`
	Usage        string        `json:"usage,omitempty"`
	Author       string        `json:"author,omitempty"`
	Tags         []string      `json:"tags,omitempty"`
	Visibility   string        `json:"visibility,omitempty"`
	Source       string        `json:"source" doc:"Location of the item"`
	Hash         string        `json:"hash" doc:"Hash of the content"`
	Variables    []Variable    `json:"template_variables"`
	Values       []Value       `json:"values" doc:"Variables and parameters of a job that can be set at submission"`
	Requirements []Requirement `json:"requires" doc:"All items that the item requires directly or indirectly"`
	Storages     []Storage     `json:"storages" doc:"Storages that the item and its requirements mount"`
	Foot
}

// Variable is a template variable of an item.
type Variable struct {
	Name        string  `json:"name"`
	Default     *string `json:"default" doc:"Default value; null if the variable is required"`
	Pattern     string  `json:"pattern,omitempty" doc:"Regular expression that the value matches"`
	Description string  `json:"description,omitempty"`
}

// Value is a variable or parameter of a job.
type Value struct {
	Name        string          `json:"name"`
	Type        string          `json:"type,omitempty" doc:"Type of a variable"`
	Default     json.RawMessage `json:"default" doc:"Any JSON value"`
	Description string          `json:"description,omitempty"`
}

// NewValues returns a job's variables and parameters, sorted by name. If a variable and
// a parameter have the same name, NewValues omits the parameter, because a value with
// that name sets the variable.
func NewValues(i *marketplace.Item) []Value {
	values := []Value{}
	for _, v := range i.Variables {
		values = append(values, Value{v.Name, v.Type, json.RawMessage(cmp.Or(v.Value, "null")), v.Description})
	}
	for name, value := range i.Job.Parameters {
		if !slices.ContainsFunc(values, func(v Value) bool { return v.Name == name }) {
			values = append(values, Value{Name: name, Default: plainjson.MustMarshal(value)})
		}
	}
	slices.SortFunc(values, func(a, b Value) int { return cmp.Compare(a.Name, b.Name) })
	return values
}

// Requirement is an item that another item requires.
type Requirement struct {
	Reference string   `json:"reference"`
	Type      string   `json:"type"`
	Version   string   `json:"version,omitempty"`
	Source    string   `json:"source" doc:"Location of the item"`
	Hash      string   `json:"hash" doc:"Hash of the content"`
	Requires  []string `json:"requires" doc:"References to the directly required items, in order"`
}

// Storage is a storage that an item mounts.
type Storage struct {
	Name      string `json:"name"`
	MountPath string `json:"mount_path"`
	By        string `json:"by" doc:"Reference to the item that mounts the storage"`
}

// NewItem returns the document for an item. closure contains the item's transitive
// requirements.
func NewItem(f *marketplace.Found, closure *marketplace.Closure) *Item {
	out := &Item{
		Head: head(), Reference: f.Address, Name: f.Name, Type: f.Type, Version: f.Version, ID: f.ID, Title: f.Title, Summary: f.Summary,
		Description: f.Description, Usage: f.Usage, Author: f.Author, Tags: f.Tags, Visibility: f.Visibility, Source: f.Place, Hash: f.Hash(),
		Variables: []Variable{}, Values: []Value{}, Requirements: []Requirement{}, Storages: []Storage{}, Foot: foot(),
	}
	for _, r := range closure.Items {
		if r.Address != f.Address {
			out.Requirements = append(out.Requirements, Requirement{r.Address, r.Type, r.Version, r.Place, r.Hash(), append([]string{}, closure.Requires[r.Address]...)})
		}
	}
	if f.Job != nil {
		out.Values = NewValues(f.Item)
	}
	if f.Prerequisite != nil {
		for _, v := range f.Prerequisite.TemplateVariables {
			out.Variables = append(out.Variables, Variable{Name: v.Name, Default: v.Default, Pattern: v.Pattern, Description: v.Description})
		}
	}
	return out
}
