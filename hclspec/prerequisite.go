// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"regexp"
	"strings"
)

// Prerequisite is a dependency of task roles: an image, data, a script, an
// output or a storage. It can have callbacks on events.
type Prerequisite struct {
	// Type is one of the PrerequisiteTypes. The protocol front end fills in
	// the default (script, or storage for a storage plugin).
	Type string
	Name string
	Path Path
	// Module is the address of the declaring module, "" for the root. It is
	// "" for a prerequisite that a job declares.
	Module Address

	Version     string
	Contributor string
	Description string

	// URI has one element; only the types data and script may have several.
	URI []string
	// Auth is allowed only in a dockerimage prerequisite.
	Auth *Auth

	// Plugin is the short or long plugin name, as written. It defaults to docker for
	// images, otherwise to cmd.
	Plugin        string
	FailurePolicy string // "", "fail" or "ignore"
	Retry         *Retry
	Require       []Reference
	Callbacks     []*Callback
	// Parameters holds all other keys: plugin parameters, and values of <%
	// this.x %>.
	Parameters        map[string]any
	TemplateVariables []*TemplateVariable
	RequireStorages   []*StorageUse
	Fetch             []*Fetch
	Environment       map[string]string

	Title   string
	Summary string
	Usage   string
	Tags    []string
	Author  string
	// Visibility limits the readers in a marketplace with user accounts:
	// "public", "protected" (groups) or "private".
	Visibility string
}

// PrerequisiteTypes lists the types in the order in which the documentation
// lists them.
var PrerequisiteTypes = []string{"dockerimage", "data", "script", "output", "storage"}

// Address returns prerequisite.<type>.<name>, preceded by the address of the
// module, if any.
func (p *Prerequisite) Address() Address {
	return NewAddress("prerequisite", p.Type, p.Name).In(p.Module)
}

// PlainName returns the name for messages and files. Underscores replace the
// characters that the protocol does not allow. For example, the for_each
// instance parts["a.b"] becomes parts_a_b.
func (p *Prerequisite) PlainName() string {
	return strings.Trim(notPlain.ReplaceAllString(p.Name, "_"), "_")
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// Auth is the login for an image registry. Values are template strings.
type Auth struct {
	Username    string
	Password    string
	RegistryURI string
}

// Callback holds the commands that run on one event, as a single script.
type Callback struct {
	Event         string // one of the events in internal/contract
	Path          Path
	Commands      []string
	FailurePolicy string
	Timeout       string // becomes a duration when templates are filled in; "" for none
	Retry         *Retry
}

// Retry repeats a failed callback.
type Retry struct {
	Attempts int
	Backoff  Duration
}

// TemplateVariable is a {{ name }} placeholder that a definition declares.
type TemplateVariable struct {
	Name        string
	Path        Path
	Default     *string // nil if required
	Description string
	Pattern     string
}

// Fetch is a download that the runtime performs itself. It is also part of a
// resolved job.
type Fetch struct {
	// Path is the path of the declaration. It is used in messages, not in the hash.
	Path   Path   `json:"-"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256,omitempty"`
	// SizeMB is used in the totals of a plan, not in the hash.
	SizeMB  int    `json:"-"`
	To      string `json:"to"`
	Extract bool   `json:"extract,omitempty"`
	// Strip is the number of leading path components that are removed from
	// names in an archive or git repository.
	Strip   int    `json:"strip,omitempty"`
	Retries int    `json:"retries,omitempty"`
	Auth    string `json:"auth,omitempty"`
}
