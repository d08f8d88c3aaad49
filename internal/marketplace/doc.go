// Package marketplace finds items: prerequisites and whole jobs that others
// have published. A source is a directory, a git repository at a commit, branch
// or tag, the http(s) URL of an item file, or the REST server of an OpenPAI
// Marketplace. All give the same [Item], whose content hash depends on the
// definition alone, not on the syntax or the place it was read from.
//
// [Set] looks references up in all declared sources and follows what items
// require. Nothing here is written to the workspace: internal/lockfile keeps what
// was found, and internal/workspace brings both together.
//
// What a source sends is hostile until proven otherwise: it is bounded in size
// and time, links and paths that lead out are refused, nothing of it is run,
// and a credential goes to the host that it was declared for and to no other.
package marketplace
