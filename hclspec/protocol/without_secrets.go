// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"bytes"
	"errors"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// WithoutSecrets returns a job file in which asterisks replace the secret
// values. It keeps all other lines. It removes comments between the secrets,
// because the comments may contain earlier values. It returns an error if it
// cannot remove the values without changing the job.
func WithoutSecrets(name string, src []byte) ([]byte, error) {
	before, diags := Parse(name, src)
	if before == nil || before.Job == nil {
		return nil, errors.Join(diags, errors.New("the file does not declare a job"))
	}
	if !holdsSecrets(before.Job) {
		return src, nil
	}
	s := newSource(name, src)
	docs, _ := documents(s) // Parse reported the errors
	for _, doc := range docs {
		if from, to, ok := secretLines(s, doc); ok {
			text := slices.Concat(s.text[:s.lines[from-1]], maskedSecrets(before.Job), s.text[s.startOf(to):])
			if sameButMasked(before.Job, name, text) {
				return slices.Concat(src[:s.base], text), nil
			}
		}
	}
	return nil, errors.New("cannot replace the secret values without changing the job; write secrets as a block mapping without anchors, and move other keys to separate lines")
}

func holdsSecrets(job *hclspec.Job) bool {
	return slices.ContainsFunc(job.Secrets, func(s *hclspec.Secret) bool { return s.Value != nil })
}

// secretLines returns the line of the key "secrets" and the line after its value.
// The value does not include a comment directly before the next key.
func secretLines(s *source, root *yaml.Node) (from, to int, ok bool) {
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return 0, 0, false
	}
	for i := 0; i < len(root.Content); i += 2 {
		key := root.Content[i]
		if key.Value != "secrets" {
			continue
		}
		to = len(s.lines) + 1
		if i+2 < len(root.Content) {
			to = root.Content[i+2].Line
		}
		for end := key.Line + 1; end < to; end++ { // stop at the end of the document
			if line := s.line(end); bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("...")) {
				to = end
			}
		}
		for to > key.Line+1 && bytes.HasPrefix(s.line(to-1), []byte("#")) {
			to--
		}
		return key.Line, to, true
	}
	return 0, 0, false
}

// startOf returns the offset of a line. For a line after the last line, it
// returns the length of the text.
func (s *source) startOf(line int) int {
	if line > len(s.lines) {
		return len(s.text)
	}
	return s.lines[line-1]
}

func (s *source) line(number int) []byte { return s.text[s.startOf(number):s.startOf(number+1)] }

func maskedSecrets(job *hclspec.Job) []byte {
	values, root := newObject(), newObject()
	for _, secret := range job.Secrets {
		putSecret(values, secret.Name, stringNode(placeholderValue))
	}
	root.put("secrets", values.Node)
	return encoded(root.Node)
}

func sameButMasked(job *hclspec.Job, name string, text []byte) bool {
	after, diags := Parse(name, text)
	if diags.HasErrors() || after.Job == nil || holdsSecrets(after.Job) {
		return false
	}
	was, lost := Write(job, WriteOptions{})
	is, now := Write(after.Job, WriteOptions{})
	return bytes.Equal(was, is) && !slices.ContainsFunc(slices.Concat(lost, now), func(d *hcl.Diagnostic) bool { return d.Severity == hcl.DiagError })
}
