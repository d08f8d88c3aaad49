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
// jobs. A prerequisite is therefore published as a small job. The extras of the
// job contain the original file or only the required parts. The hash of the item
// does not depend on its carrier. An HCL job with variables does not need a
// separate carrier: it can run with the default values. Its extras contain the HCL
// file, so that users can set other values.
type Carrier struct {
	// Name and Type select the item in the file. File is the name of the file, and
	// Content is its text.
	Name, Type, File, Content string
}

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

// part returns a file with only the item and its required siblings. If the
// item has variables, part returns the complete file.
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

// needed returns the item and the siblings that it directly or indirectly
// requires.
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

func carried(job *hclspec.Job) (Carrier, bool) {
	m, _ := job.Extras[ExtrasKey].(map[string]any)
	c := Carrier{Name: text(m, "item"), Type: text(m, "type"), File: text(m, "file"), Content: text(m, "content")}
	return c, c.Name != "" && c.Content != "" && IsItemFile(c.File)
}

// chosen returns only the carried item. Required items remain its siblings
// and are also published separately.
func (c Carrier) chosen(items []*Item) []*Item {
	for _, i := range items {
		if i.Definition() == c.Name && i.Type == c.Type {
			return []*Item{i}
		}
	}
	return nil
}
