// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// placeholderValue replaces a secret value that must not be written or is not
// available.
const placeholderValue = "******"

var secretReference = regexp.MustCompile(`\$secrets\.([A-Za-z0-9_.-]+)`)

func (w *writer) secrets(root *object, job *hclspec.Job) {
	all := w.secretsOf(root.Node, job)
	all = append(all, w.moduleSecrets(root.Node, all)...)
	if len(all) == 0 {
		return
	}
	m := newObject()
	for _, s := range all {
		putSecret(m, s.Name, w.secretValue(s))
	}
	at := len(root.Content)
	for i := 0; i < len(root.Content); i += 2 {
		if slices.Contains([]string{"jobRetryCount", "taskRoles"}, root.Content[i].Value) {
			at = i
			break
		}
	}
	root.Content = slices.Insert(root.Content, at, stringNode("secrets"), m.Node)
}

func (w *writer) secretValue(s *hclspec.Secret) *yaml.Node {
	if !w.options.WithSecrets {
		return stringNode(placeholderValue)
	}
	if s.Value != nil {
		return stringNode(s.Value.Reveal())
	}
	if w.options.SecretValue != nil {
		if value, ok := w.options.SecretValue(s); ok {
			return stringNode(value)
		}
	}
	w.report(hclspec.MaskedSecret, s.Path, "The value of the secret %s is not available. The file contains asterisks in place of the value.", s.Name)
	return stringNode(placeholderValue)
}

// putSecret writes the secret a.b as the key b of a mapping a. OpenPAI looks
// up a dotted reference in nested mappings. If a is also a secret, putSecret
// writes the single key a.b.
func putSecret(m *object, name string, value *yaml.Node) {
	head, rest, nested := strings.Cut(name, ".")
	if !nested || head == "" || rest == "" {
		m.put(name, value)
		return
	}
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value != head {
			continue
		}
		if m.Content[i+1].Kind == yaml.MappingNode {
			putSecret(&object{m.Content[i+1]}, rest, value)
			return
		}
		m.put(name, value)
		return
	}
	inner := newObject()
	putSecret(inner, rest, value)
	m.put(head, inner.Node)
}

// usedSecrets adds the names of secrets in templates to used.
func usedSecrets(n *yaml.Node, used map[string]bool) {
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "<%") {
		for _, name := range secretNames(n.Value) {
			used[name] = true
		}
	}
	for _, child := range n.Content {
		usedSecrets(child, used)
	}
}

// secretsOf lists the secrets of the job and the workspace secrets in its
// references. If the workspace has only one job, secretsOf also lists each
// workspace secret that no marketplace uses.
func (w *writer) secretsOf(written *yaml.Node, job *hclspec.Job) []*hclspec.Secret {
	ws := w.options.Workspace
	used, elsewhere := map[string]bool{}, []string{}
	usedSecrets(written, used)
	for _, m := range ws.Marketplaces {
		elsewhere = append(elsewhere, secretNames(m.Token)...)
	}
	all := slices.Clone(job.Secrets)
	for _, s := range ws.Secrets {
		if s.Module != "" {
			continue // see moduleSecrets
		}
		mine := used[s.Name] || len(ws.Jobs) == 1 && !slices.Contains(elsewhere, s.Name)
		if mine && !slices.ContainsFunc(all, func(own *hclspec.Secret) bool { return own.Name == s.Name }) {
			all = append(all, s)
		}
	}
	return all
}

// moduleSecrets assigns protocol names to the module secrets in references,
// and updates the references. It does not assign the names of the secrets in
// taken.
func (w *writer) moduleSecrets(written *yaml.Node, taken []*hclspec.Secret) []*hclspec.Secret {
	used := map[string]bool{}
	for _, s := range taken {
		used[s.Name] = true
	}
	var all []*hclspec.Secret
	for _, s := range w.options.Workspace.Secrets {
		tag := hclspec.SecretTag(s.Reference())
		if s.Module == "" || !holds(written, tag) {
			continue
		}
		named := *s
		if used[named.Name] {
			named.Name = strings.ReplaceAll(strings.Join(append(s.Module.ModuleParts(), s.Name), "_"), ".", "_")
		}
		named.Module = ""
		used[named.Name] = true
		replaceText(written, tag, hclspec.SecretTag(named.Name))
		all = append(all, &named)
	}
	return all
}

// holds reports whether any scalar below a node contains the given text.
func holds(n *yaml.Node, text string) bool {
	return n.Kind == yaml.ScalarNode && strings.Contains(n.Value, text) ||
		slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return holds(child, text) })
}

func replaceText(n *yaml.Node, from, to string) {
	if n.Kind == yaml.ScalarNode {
		n.Value = strings.ReplaceAll(n.Value, from, to)
	}
	for _, child := range n.Content {
		replaceText(child, from, to)
	}
}

func secretNames(text string) []string {
	var names []string
	for _, m := range secretReference.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}
