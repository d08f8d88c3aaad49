// SPDX-License-Identifier: MPL-2.0

package terraformplan

import (
	"encoding/json"
	"regexp"
)

// configuration is the part of a plan that assigns provider blocks to resources.
type configuration struct {
	Providers map[string]providerConfig `json:"provider_config"`
	Root      module                    `json:"root_module"`
}

type providerConfig struct {
	Name        string                     `json:"name"`
	Alias       string                     `json:"alias"`
	Expressions map[string]json.RawMessage `json:"expressions"`
}

type module struct {
	Resources []struct {
		Address  string `json:"address"` // within the module
		Provider string `json:"provider_config_key"`
	} `json:"resources"`
	Calls map[string]struct {
		Module *module `json:"module"`
	} `json:"module_calls"`
}

// blocks maps resource addresses in the configuration to provider blocks.
type blocks struct {
	byAddress map[string]ProviderBlock
	// root is the block without an alias.
	root ProviderBlock
}

func (c *configuration) blocks() blocks {
	b := blocks{byAddress: map[string]ProviderBlock{}}
	for _, p := range c.Providers {
		if p.Name == "openpai" && p.Alias == "" {
			b.root = p.block()
		}
	}
	c.add(b, "", &c.Root)
	return b
}

func (c *configuration) add(b blocks, prefix string, m *module) {
	for _, r := range m.Resources {
		if p, ok := c.Providers[r.Provider]; ok {
			b.byAddress[prefix+r.Address] = p.block()
		}
	}
	for name, call := range m.Calls {
		if call.Module != nil {
			c.add(b, prefix+"module."+name+".", call.Module)
		}
	}
}

func (p providerConfig) block() ProviderBlock {
	kubernetes := p.Expressions["kubernetes"]
	return ProviderBlock{
		Alias: p.Alias, Kubernetes: kubernetes != nil,
		MaxRunTime: constant(kubernetes, "max_run_time"), MaxWaitTime: constant(kubernetes, "max_wait_time"),
	}
}

// constant returns the value of a string attribute. It returns "" for an
// expression, because plans do not contain the values of expressions.
func constant(block json.RawMessage, name string) string {
	var attributes map[string]json.RawMessage
	var attribute struct {
		Value any `json:"constant_value"`
	}
	if json.Unmarshal(block, &attributes) != nil || json.Unmarshal(attributes[name], &attribute) != nil {
		return ""
	}
	text, _ := attribute.Value.(string)
	return text
}

// instanceKey matches the instance key of an address: [0] or ["a"].
var instanceKey = regexp.MustCompile(`\[(?:[0-9]+|"(?:[^"\\]|\\.)*")\]`)

// of returns the provider block of a resource: the block that the resource
// specifies, or else the root block.
func (b blocks) of(c *Change) ProviderBlock {
	address := c.Type + "." + c.Name
	if c.ModuleAddress != "" {
		address = instanceKey.ReplaceAllString(c.ModuleAddress, "") + "." + address
	}
	if block, ok := b.byAddress[address]; ok {
		return block
	}
	return b.root
}
