package protocol

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// WriteItem returns a prerequisite as a YAML file of one item. Equal
// prerequisites give equal bytes, whatever syntax they were read from, and
// reading the file gives an equal prerequisite: this is the text that content
// hashes of items are made over.
func WriteItem(p *hclspec.Prerequisite) []byte {
	w := &writer{options: WriteOptions{Workspace: &hclspec.Workspace{}}}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(w.prerequisite(p).Node); err != nil {
		panic(fmt.Sprintf("protocol: write item: %v", err)) // the tree is ours
	}
	return out.Bytes()
}
