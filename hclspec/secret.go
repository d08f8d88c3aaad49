// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"fmt"
	"regexp"
	"strings"
)

// Secret is a value that openpai never writes to a plan, lock, state, log or
// ConfigMap. Exactly one source is set.
type Secret struct {
	Name string
	Path Path
	// Module is the address of the declaring module, "" for the root.
	Module Address

	Env        string
	File       string
	Kubernetes *SecretKey
	// Value is the value in a protocol file, or the value of a sensitive variable.
	Value *Sensitive
	// Version is the version that the user set for the value. If it is empty,
	// the value determines the version.
	Version string
}

// Reference returns the name of the secret in <% $secrets %>. For a module secret,
// Reference returns the address, because secret names are unique only within a
// module.
func (s *Secret) Reference() string {
	if s.Module == "" {
		return s.Name
	}
	return NewAddress("secret", s.Name).In(s.Module).String()
}

var tagName = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

// SecretTag returns the placeholder of a secret in a string until the task
// runs.
func SecretTag(reference string) string {
	if tagName.MatchString(reference) {
		return "<% $secrets." + reference + " %>"
	}
	quote := "'" // jsonencode does not escape a single quote
	if strings.Contains(reference, quote) {
		quote = `"`
	}
	return "<% $secrets[" + quote + reference + quote + "] %>"
}

// SecretKey identifies one key of a Kubernetes Secret.
type SecretKey struct{ Name, Key string }

// Sensitive is a string that prints and marshals as ***. Only
// [Sensitive.Reveal] returns the value.
type Sensitive struct{ value string }

// NewSensitive returns a Sensitive with the given value.
func NewSensitive(value string) *Sensitive { return &Sensitive{value} }

// Reveal returns the value. Store the value only in memory or in a file of mode
// 0600.
func (s *Sensitive) Reveal() string { return s.value }

// String implements fmt.Stringer.
func (s *Sensitive) String() string { return "***" }

// Format implements fmt.Formatter and prints *** for every verb.
func (s *Sensitive) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("***")) }

// MarshalJSON implements json.Marshaler.
func (s *Sensitive) MarshalJSON() ([]byte, error) { return []byte(`"***"`), nil }

// Equal lets go-cmp compare values in tests.
func (s *Sensitive) Equal(other *Sensitive) bool {
	if s == nil || other == nil {
		return s == other
	}
	return s.value == other.value
}
