package marketplace

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
)

// Carrier is an item inside a job. An OpenPAI Marketplace server keeps whole
// jobs only, so a prerequisite travels as a small job that a server accepts,
// with the file it was written in as a text in its extras. The hash of the
// item does not depend on what carries it.
type Carrier struct {
	// Name and Type choose the item of the file, File is the file's name and
	// Content its text.
	Name, Type, File, Content string
}

// carry writes the job that carries an item.
func carry(i *Item) []byte {
	role := &hclspec.TaskRole{
		Name: "item", Instances: 1, Image: hclspec.Reference{Target: "image"},
		Resources: hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 64}},
		Commands:  []string{fmt.Sprintf("echo 'This job carries the marketplace item %s (%s). It is not meant to be run.'", i.Definition(), i.Type)},
	}
	job := &hclspec.Job{
		Name: i.Definition(), Syntax: hclspec.SyntaxProtocol, JobSettings: hclspec.JobSettings{Version: i.Version, Description: i.Description, GangAllocation: true},
		Prerequisites: []*hclspec.Prerequisite{{Type: "dockerimage", Name: "image", URI: []string{"busybox"}}},
		TaskRoles:     []*hclspec.TaskRole{role},
		JobInputs: hclspec.JobInputs{Extras: map[string]any{extrasKey: map[string]any{
			"item": i.Definition(), "type": i.Type, "version": i.Version, "file": i.File, "content": string(i.Text),
		}}},
	}
	content, _ := protocol.Write(job, protocol.WriteOptions{})
	return content
}

// carried returns what a job carries.
func carried(job *hclspec.Job) (Carrier, bool) {
	m, _ := job.Extras[extrasKey].(map[string]any)
	c := Carrier{Name: text(m, "item"), Type: text(m, "type"), File: text(m, "file"), Content: text(m, "content")}
	return c, c.Name != "" && c.Content != "" && IsItemFile(c.File)
}

// chosen keeps the one item that is carried. The others of its file travel on
// their own, and stay its siblings.
func (c Carrier) chosen(items []*Item) []*Item {
	for _, i := range items {
		if i.Definition() == c.Name && i.Type == c.Type {
			return []*Item{i}
		}
	}
	return nil
}
