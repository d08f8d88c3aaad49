package resolve

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Input is what a job is resolved from. Nothing in it is changed.
type Input struct {
	Workspace *hclspec.Workspace
	// User owns the jobs, unless the cluster block names one.
	User string
	// Items are the marketplace items that were fetched and locked. nil: none.
	Items Items
	// Loose lets references without a value stay as they are in every job, as
	// in those that were written for OpenPAI. Such jobs are not to be run.
	Loose bool
}

// Items gives items by reference. It never fetches: openpai init did.
type Items interface {
	// Item returns what a marketplace://, http:// or https:// reference means.
	// The error is one sentence without a full stop for the user, such as
	// "the team marketplace has no item \"mnist\"". One with a method
	// Entry() *hclspec.Entry chooses the kind of the diagnostic.
	Item(ref string) (*Item, error)
}

// Item is a prerequisite that came from a marketplace or URL.
type Item struct {
	Definition *hclspec.Prerequisite
	// Address is the same for every reference that means this item, and no
	// other item has it: marketplace://name/mnist?from=team.
	Address string
	// Source is where it came from, with its version, for people.
	Source string
	// Siblings are the references of the other items of the same file, by the
	// names that a require of this one may use for them.
	Siblings map[string]string
	// Sources has the positions of the item's own file.
	Sources hclspec.SourceMap
}
