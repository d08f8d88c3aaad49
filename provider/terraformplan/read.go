// SPDX-License-Identifier: MPL-2.0

package terraformplan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxSize is the maximum file size in bytes.
const maxSize = 256 << 20

// Plan is the part of a plan that openpai reads.
type Plan struct {
	Changes []*Change
	// Deferred is the number of changes that Terraform deferred to a later
	// run.
	Deferred int
}

// Change is a change to one resource object.
type Change struct {
	Address         string `json:"address"`
	PreviousAddress string `json:"previous_address"`
	ModuleAddress   string `json:"module_address"`
	Mode            string `json:"mode"`
	Type            string `json:"type"`
	Name            string `json:"name"`
	// Deposed is the key of an object that a replacement left behind, or "".
	Deposed string `json:"deposed"`
	// Reason is Terraform's action reason, for example replace_because_tainted.
	Reason string `json:"action_reason"`
	Values Values `json:"change"`
	// Provider is the provider block of the resource.
	Provider ProviderBlock `json:"-"`
}

// Values contains both sides of a change. AfterUnknown contains true for
// every value that is completely unknown. BeforeSensitive and AfterSensitive
// contain true for every value that is completely sensitive.
type Values struct {
	Actions         []string        `json:"actions"`
	Before          json.RawMessage `json:"before"`
	After           json.RawMessage `json:"after"`
	AfterUnknown    any             `json:"after_unknown"`
	BeforeSensitive any             `json:"before_sensitive"`
	AfterSensitive  any             `json:"after_sensitive"`
	// ReplacePaths lists the paths of the attributes that force a
	// replacement.
	ReplacePaths [][]any `json:"replace_paths"`
}

// ProviderBlock is the part of a provider block that openpai reads.
type ProviderBlock struct {
	Alias string
	// Kubernetes reports whether the provider block has a block or attribute
	// named "kubernetes".
	Kubernetes bool
	// MaxRunTime and MaxWaitTime are the defaults of the jobs; "" if they are not
	// set or not constant.
	MaxRunTime, MaxWaitTime string
}

// document is the content of the file.
type document struct {
	FormatVersion string          `json:"format_version"`
	Level         string          `json:"@level"` // set in the output of "terraform plan -json"
	Errored       bool            `json:"errored"`
	Values        json.RawMessage `json:"values"` // of a state
	Planned       json.RawMessage `json:"planned_values"`
	Changes       []*Change       `json:"resource_changes"`
	Deferred      []struct{}      `json:"deferred_changes"`
	Configuration configuration   `json:"configuration"`
}

// Errors for input that is not a complete Terraform plan in JSON.
var (
	errBinary  = errors.New("it is a binary Terraform plan file; convert it with: terraform show -json PLANFILE > plan.json")
	errState   = errors.New("it is a state, not a plan; convert the plan file with: terraform show -json PLANFILE > plan.json")
	errStream  = errors.New("it is the output of \"terraform plan -json\"; save the plan with -out=PLANFILE, then: terraform show -json PLANFILE > plan.json")
	errNotPlan = errors.New("it is not the output of \"terraform show -json PLANFILE\"")
	errErrored = errors.New("planning failed, so the plan is incomplete; fix the errors that terraform plan reported")
)

// Read reads a plan.
func Read(r io.Reader) (*Plan, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxSize:
		return nil, fmt.Errorf("it is larger than %d MiB", maxSize>>20)
	}
	return decode(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))) // PowerShell writes a byte order mark
}

func decode(text []byte) (*Plan, error) {
	if bytes.HasPrefix(text, []byte("PK\x03\x04")) { // a plan file is a ZIP archive
		return nil, errBinary
	}
	var d document
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&d); err != nil {
		return nil, jsonError(err)
	}
	switch {
	case d.Level != "":
		return nil, errStream
	case d.Planned == nil && d.Values != nil:
		return nil, errState
	case d.Planned == nil:
		return nil, errNotPlan
	case !strings.HasPrefix(d.FormatVersion, "1."):
		return nil, fmt.Errorf("it has the unsupported format version %q; only versions 1.x are supported", d.FormatVersion)
	case d.Errored:
		return nil, errErrored
	}
	return d.plan()
}

func (d *document) plan() (*Plan, error) {
	blocks := d.Configuration.blocks()
	for i, c := range d.Changes {
		if c == nil || c.Address == "" || len(c.Values.Actions) == 0 {
			return nil, fmt.Errorf("%w: the change %d has no address or no actions", errNotPlan, i)
		}
		c.Provider = blocks.of(c)
	}
	return &Plan{Changes: d.Changes, Deferred: len(d.Deferred)}, nil
}

// jsonError returns an error that contains no values from the file.
func jsonError(err error) error {
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%w: byte %d is not JSON", errNotPlan, syntax.Offset)
	case errors.As(err, &mistyped):
		return fmt.Errorf("%w: %s has the wrong type at byte %d", errNotPlan, mistyped.Field, mistyped.Offset)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it is empty", errNotPlan)
	}
	return fmt.Errorf("%w: it ends unexpectedly", errNotPlan)
}
