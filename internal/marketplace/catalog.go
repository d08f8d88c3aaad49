// SPDX-License-Identifier: MPL-2.0

package marketplace

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics about marketplaces and the items in them.
var (
	InvalidItemReference = hclspec.DefineError("invalid-item-reference", "Invalid reference to an item",
		"An item is named by marketplace://name/x, marketplace://<type>/x, marketplace://prerequisites/itemId/<id>, each with ?from=NAME&version=V where it is needed, or by the URL of a file, https://host/items.yml#x.")
	AmbiguousItem = hclspec.DefineError("ambiguous-item", "Two items of one name",
		"A reference fits two items. Write the type instead of name, or add ?from=NAME or &version=V.")
	UnsafeItem = hclspec.DefineError("unsafe-item", "Item file is refused",
		"Items are read from regular files inside the source. Symbolic links and paths that lead out of it are not followed.")
	InvalidMarketplaceSource = hclspec.DefineError("invalid-marketplace-source", "Invalid source of a marketplace",
		"A source is a directory, a git address (git::https://host/repo.git//directory?ref=v1), the http(s) URL of an item file, or the base URL of an OpenPAI Marketplace server.")
)

// Diagnostics about publishing and using items.
var (
	PublishedVersionDiffers = hclspec.DefineError("published-version-differs", "Published version cannot change",
		"Others have recorded the hash of a published version. Publish the change under a new version.")
	ItemVersionMissing = hclspec.DefineError("item-version-missing", "Item has no version",
		"An item that is published has a version, and the items of one file have the same.")
	ItemHoldsSecret = hclspec.DefineError("item-holds-secret", "Item holds the value of a secret",
		"What is in a marketplace is read by others, and a version is never changed or taken back. Values of secrets belong to who runs the job.")
)
