package hclspec

// Findings about downloads.
var (
	InvalidFetch = defineError("invalid-fetch", "Invalid fetch",
		"A fetch names a file of the workspace by a path, or has an address that begins with http://, https://, file:// or git::. A git address ends with ?ref= and a commit or tag.")
)
