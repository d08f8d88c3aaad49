// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
)

// Carrier is an item inside a job. An OpenPAI Marketplace server stores only whole
// jobs, so a prerequisite is published as a small job that the server accepts. The
// job's extras contain the original file as a string, or only the parts of the
// file that the item needs. The hash of the item does not depend on its carrier.
// An HCL job with variables does not need a separate carrier, because it can run
// with the default values. Its extras contain the HCL file, so that users can set
// other values.
type Carrier struct {
	// Name and Type select the item in the file. File is the name of the file, and
	// Content is its text.
	Name, Type, File, Content string
}

// writeCarrier returns a carrier job for an item.
func writeCarrier(i *Item) []byte {
	role := &hclspec.TaskRole{
		Name: "item", Instances: 1, Image: hclspec.Reference{Target: "image"},
		Resources: hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 64}},
		Commands:  []string{fmt.Sprintf("echo 'This job carries the marketplace item %s (%s). Do not run it.'", i.Definition(), i.Type)},
	}
	file, text := i.part()
	job := &hclspec.Job{
		Name: i.Definition(), Syntax: hclspec.SyntaxProtocol, JobSettings: hclspec.JobSettings{Version: i.Version, Description: i.Description, GangAllocation: true},
		Prerequisites: []*hclspec.Prerequisite{{Type: "dockerimage", Name: "image", URI: []string{"busybox"}}},
		TaskRoles:     []*hclspec.TaskRole{role},
		JobInputs: hclspec.JobInputs{Extras: map[string]any{ExtrasKey: map[string]any{
			"item": i.Definition(), "type": i.Type, "version": i.Version, "file": file, "content": string(text),
		}}},
	}
	content, _ := protocol.Write(job, protocol.WriteOptions{})
	return content
}

// part returns a file that contains the item and its required siblings. It
// returns the original file if the file contains no other items.
func (i *Item) part() (file string, text []byte) {
	if len(i.Variables) > 0 {
		return i.variablesFile(i.File), i.Text
	}
	needed := i.needed()
	if len(needed) == len(i.Siblings) || i.Text == nil {
		return i.File, i.Text
	}
	var documents [][]byte
	for _, n := range needed {
		documents = append(documents, n.Content)
	}
	return stem(i.File) + ".yaml", bytes.Join(documents, []byte("---\n"))
}

// needed returns an item and the siblings that it requires directly or indirectly,
// in order of discovery.
func (i *Item) needed() []*Item {
	met := []*Item{i}
	for n := 0; n < len(met); n++ {
		for _, name := range met[n].Requires() {
			other := i.siblingOf(name)
			if other != nil && !slices.Contains(met, other) {
				met = append(met, other)
			}
		}
	}
	return met
}

// siblingOf returns the prerequisite with the given name in the same file, or
// nil.
func (i *Item) siblingOf(name string) *Item {
	for _, other := range i.Siblings {
		if other.Type != TypeJob && other.Definition() == name {
			return other
		}
	}
	return nil
}

// carried returns the carrier that a job contains.
func carried(job *hclspec.Job) (Carrier, bool) {
	m, _ := job.Extras[ExtrasKey].(map[string]any)
	c := Carrier{Name: text(m, "item"), Type: text(m, "type"), File: text(m, "file"), Content: text(m, "content")}
	return c, c.Name != "" && c.Content != "" && IsItemFile(c.File)
}

// chosen returns only the carried item. The items that it requires remain its
// siblings, and are also published separately.
func (c Carrier) chosen(items []*Item) []*Item {
	for _, i := range items {
		if i.Definition() == c.Name && i.Type == c.Type {
			return []*Item{i}
		}
	}
	return nil
}
