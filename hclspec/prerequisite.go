package hclspec

import (
	"regexp"
	"strings"
)

// Prerequisite is a named preparation that task roles ask for: an image, data,
// a script, an output or a storage, with callbacks on events.
type Prerequisite struct {
	// Type is one of the PrerequisiteTypes. The protocol front end fills in
	// the default (script, or storage for a storage plugin).
	Type string
	Name string
	Path Path
	// Module is the address of the module that declares it, "" for the root. One
	// that a job declares itself has none.
	Module Address

	Version     string
	Contributor string
	Description string

	// URI has one element for every type but data, which may have several.
	URI []string
	// Auth is allowed on dockerimage only.
	Auth *Auth

	// Plugin is the short or long name as written; empty is the default
	// (cmd; docker on images).
	Plugin        string
	FailurePolicy string // "", "fail" or "ignore"
	Retry         *Retry
	Require       []Reference
	Callbacks     []*Callback
	// Parameters holds every other key: what the plugin is given, and what
	// <% this.x %> reads.
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
	// Visibility is who sees it in a marketplace that knows users: "public",
	// "protected" (groups) or "private".
	Visibility string
}

// PrerequisiteTypes lists the types in the order of the documentation.
var PrerequisiteTypes = []string{"dockerimage", "data", "script", "output", "storage"}

// Address returns prerequisite.<type>.<name>, after the address of the module.
func (p *Prerequisite) Address() Address {
	return NewAddress("prerequisite", p.Type, p.Name).In(p.Module)
}

// PlainName is the name as the protocol allows it, for texts and files: that
// of an instance of for_each, parts["a.b"], is parts_a_b.
func (p *Prerequisite) PlainName() string {
	return strings.Trim(notPlain.ReplaceAllString(p.Name, "_"), "_")
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// Auth is the login of an image registry. Values are template strings.
type Auth struct {
	Username    string
	Password    string
	RegistryURI string
}

// Callback is what runs on one event. The commands of one callback are one
// script.
type Callback struct {
	Event         string // one of the events of internal/contract
	Path          Path
	Commands      []string
	FailurePolicy string
	Timeout       string // a duration once it is filled in; "": none
	Retry         *Retry
}

// Retry repeats a failed callback.
type Retry struct {
	Attempts int
	Backoff  Duration
}

// TemplateVariable is a {{ name }} that a definition declares.
type TemplateVariable struct {
	Name        string
	Path        Path
	Default     *string // nil: must be given
	Description string
	Pattern     string
}

// Fetch is a download that the runtime performs itself. It is part of a resolved
// job as well.
type Fetch struct {
	// Path is where it is declared. For people, not for the hash.
	Path   Path   `json:"-"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256,omitempty"`
	// SizeMB is for the sums of a plan, not for the hash.
	SizeMB  int    `json:"-"`
	To      string `json:"to"`
	Extract bool   `json:"extract,omitempty"`
	// Strip is how many leading parts of the names in an archive, or in a git
	// repository, are omitted.
	Strip   int    `json:"strip,omitempty"`
	Retries int    `json:"retries,omitempty"`
	Auth    string `json:"auth,omitempty"`
}
