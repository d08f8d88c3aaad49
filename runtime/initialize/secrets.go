package initialize

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readSecrets reads secret.yaml or secrets.yaml: names and values, nested as
// the user likes. <% $secrets.a.b %> and <% $secrets.a[0] %> reach into it.
func (o *Options) readSecrets() (map[string]string, error) {
	text, name, err := o.findConfig("secret.yaml", "secrets.yaml")
	if err != nil || name == "" {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, mistaken("%s is not YAML", name) // the parser quotes what it read
	}
	values := map[string]string{}
	if len(root.Content) == 0 {
		return values, nil
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return nil, mistaken("%s: expected names and values of secrets", name)
	}
	if err := flatten(root.Content[0], "", values); err != nil {
		return nil, mistaken("%s: %v", name, err)
	}
	return values, nil
}

var errSecretName = errors.New("the name of a secret must not contain a slash")

// flatten gives every scalar a name of the keys that lead to it.
func flatten(n *yaml.Node, prefix string, into map[string]string) error {
	join := func(key string) string { return strings.TrimPrefix(prefix+"."+key, ".") }
	switch n.Kind {
	case yaml.AliasNode:
		return flatten(n.Alias, prefix, into)
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if strings.ContainsAny(n.Content[i].Value, `/\`) {
				return errSecretName
			}
			if err := flatten(n.Content[i+1], join(n.Content[i].Value), into); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			if err := flatten(item, join(strconv.Itoa(i)), into); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		if prefix != "" {
			into[prefix] = n.Value
		}
	}
	return nil
}

// keepSecrets leaves one file per secret for the task, readable for its user
// alone.
func (o *Options) keepSecrets(values map[string]string) error {
	if len(values) == 0 {
		return nil
	}
	if err := os.MkdirAll(o.SecretsDir, 0o700); err != nil {
		return fmt.Errorf("keep the secrets: %w", err)
	}
	for name, value := range values {
		if err := os.WriteFile(filepath.Join(o.SecretsDir, name), []byte(value), 0o600); err != nil {
			return fmt.Errorf("keep the secret %s: %w", name, err)
		}
	}
	return nil
}
