// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

// readSecrets reads secret.yaml or secrets.yaml. <% $secrets.a.b %> and <%
// $secrets.a[0] %> refer to nested values.
func (o *Options) readSecrets() (map[string]string, error) {
	text, name, err := o.findConfig("secret.yaml", "secrets.yaml")
	if err != nil || name == "" {
		return nil, err
	}
	var root yaml.Node
	err = decodeSingle(yaml.NewDecoder(bytes.NewReader(text)), &root)
	if errors.Is(err, errSecondDocument) {
		return nil, configErrorf("%s: %v", name, err)
	}
	if err != nil {
		return nil, configErrorf("%s is not YAML", name) // the message omits the parser's error, which quotes the content
	}
	if len(root.Content) == 0 {
		return map[string]string{}, nil
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return nil, configErrorf("%s must map secret names to values", name)
	}
	f := flattener{values: map[string]string{}}
	if err := f.add(root.Content[0], nil); err != nil {
		return nil, configErrorf("%s: %v", name, err)
	}
	return f.values, nil
}

// Limits for a secrets file. The limits are necessary because aliases can expand a
// small file to many values.
const (
	maxSecretNodes = 10_000
	maxSecretDepth = 32
)

// flattener stores each scalar under the dotted path of its keys.
type flattener struct {
	values map[string]string
	nodes  int
}

func (f *flattener) add(n *yaml.Node, path []string) error {
	if f.nodes++; f.nodes > maxSecretNodes {
		return fmt.Errorf("the file has more than %d values after aliases are expanded", maxSecretNodes)
	}
	if len(path) > maxSecretDepth {
		return fmt.Errorf("the values are nested more than %d levels deep", maxSecretDepth)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return f.add(n.Alias, path)
	case yaml.ScalarNode:
		return f.put(strings.Join(path, "."), n.Value)
	}
	for i := range n.Content {
		key, value := strconv.Itoa(i), n.Content[i]
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue // this node is the key of the next node
			}
			key = n.Content[i-1].Value
		}
		if err := f.add(value, append(path[:len(path):len(path)], key)); err != nil {
			return err
		}
	}
	return nil
}

// put stores a value under its name. writeSecrets later uses the name as a
// file name.
func (f *flattener) put(name, value string) error {
	if name == "" || name == "." || name == ".." || len(name) > 255 || strings.ContainsAny(name, "/\\\x00") {
		return fmt.Errorf("invalid secret name %q: use a valid file name of at most 255 bytes", name)
	}
	if _, twice := f.values[name]; twice {
		return fmt.Errorf("two secrets have the name %q", name)
	}
	f.values[name] = value
	return nil
}

// warnOfShortSecrets warns about secrets that are too short to be masked in logs.
// Jobs that openpai submits need no warning: the plan has already shown a
// warning.
func (c *container) warnOfShortSecrets() {
	var short []string
	for name, value := range c.secrets {
		if value != "" && !redact.Maskable(value) {
			short = append(short, name)
		}
	}
	if len(short) > 0 {
		slices.Sort(short)
		c.log.warning(fmt.Sprintf("the secrets %s have fewer than %d characters and are not masked in logs", strings.Join(short, ", "), redact.MinLength))
	}
}

// writeSecrets writes one file per secret. Only the user of the task can read the
// files.
func (o *Options) writeSecrets(values map[string]string) error {
	if len(values) == 0 {
		return nil
	}
	if err := os.MkdirAll(o.SecretsDir, 0o700); err != nil {
		return fmt.Errorf("write the secrets: %w", err)
	}
	for name, value := range values {
		if err := os.WriteFile(filepath.Join(o.SecretsDir, name), []byte(value), 0o600); err != nil {
			return fmt.Errorf("write the secret %s: %w", name, err)
		}
	}
	return nil
}
