package hclspec

import "fmt"

// Secret is a value that is never written into a plan, lock, state, log or
// ConfigMap. Exactly one source is set.
type Secret struct {
	Name string
	Path Path

	Env        string
	File       string
	Kubernetes *SecretKey
	// Value is the value written into a protocol file, or that of a sensitive
	// variable.
	Value *Sensitive
	// Version is the user's own version of the value; empty: derived.
	Version string
}

// SecretKey names one key of a Kubernetes Secret.
type SecretKey struct{ Name, Key string }

// Sensitive is a text that shows itself as *** wherever it is printed or
// marshaled. [Sensitive.Reveal] is the only way to the value.
type Sensitive struct{ value string }

// NewSensitive hides a value.
func NewSensitive(value string) *Sensitive { return &Sensitive{value} }

// Reveal returns the value. Callers keep it in memory or in a file of mode
// 0600.
func (s *Sensitive) Reveal() string { return s.value }

// String implements fmt.Stringer.
func (s *Sensitive) String() string { return "***" }

// Format implements fmt.Formatter, so that no verb shows the value.
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
