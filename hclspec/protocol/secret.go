// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

var masked = regexp.MustCompile(`^\*+$`)

// secrets flattens nested mappings and lists to dotted names:
// registry.username, keys.0. References use the dotted names.
func (d *decoder) secrets(n *yaml.Node, at place) []*hclspec.Secret {
	at.secret = true
	if n.Kind == yaml.ScalarNode && masked.MatchString(n.Value) {
		d.report(MaskedSecrets.At(d.src.at(n), "%s must be a mapping, but it is masked with asterisks. OpenPAI masks the secrets in the job configurations that it shows, so you cannot submit such a file again. Write the secrets as a mapping of names to values.", at.shown))
		return nil
	}
	m, ok := d.mapping(n, at)
	if !ok {
		return nil
	}
	return d.secretMap(m, at, "", nil)
}

func (d *decoder) secretMap(m *mapping, at place, prefix string, found []*hclspec.Secret) []*hclspec.Secret {
	for _, e := range m.entries {
		found = d.secretValue(e.value, e.key, at, prefix+e.name, found)
	}
	return found
}

func (d *decoder) secretValue(n, key *yaml.Node, at place, name string, found []*hclspec.Secret) []*hclspec.Secret {
	switch n.Kind {
	case yaml.MappingNode:
		return d.secretMap(newMapping(d.src, n), at, name+".", found)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			item = deref(item)
			found = d.secretValue(item, item, at, name+"."+strconv.Itoa(i), found)
		}
		return found
	}
	here := at.key(name)
	here.path = d.uniquePath(here.path)
	d.sources[here.path] = d.src.at(key)
	secret := &hclspec.Secret{Name: name, Path: here.path}
	switch value := d.src.value(n); {
	case isNull(n):
		d.wrongType(n, here, "a string")
	case masked.MatchString(value):
		d.report(hclspec.MaskedSecret.At(d.src.at(key), "The value of the secret %s is masked with asterisks. Write the value before you run the job.", name))
	default:
		secret.Value = hclspec.NewSensitive(value)
	}
	return append(found, secret)
}
