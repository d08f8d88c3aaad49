// SPDX-License-Identifier: MPL-2.0

package marketplace

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics about marketplaces and the items in them.
var (
	InvalidItemReference = hclspec.DefineError("invalid-item-reference", "Invalid item reference",
		"Refer to an item in a marketplace as marketplace://name/x, marketplace://<type>/x or marketplace://prerequisites/itemId/<id>. Append ?from=NAME&version=V if needed. Refer to an item in a file as https://host/items.yml#x.")
	AmbiguousItem = hclspec.DefineError("ambiguous-item", "Two items have the same name",
		"A reference matches two items. In the reference, replace \"name\" with the type of the item. Alternatively, append the marketplace, the version or both: ?from=NAME&version=V.")
	UnsafeItem = hclspec.DefineError("unsafe-item", "Item file is rejected",
		"Items must be regular files inside the source. openpai rejects symbolic links and paths outside the source.")
	InvalidMarketplaceSource = hclspec.DefineError("invalid-marketplace-source", "Invalid marketplace source",
		"A source must be a directory, a git URL (git::https://host/repo.git//directory?ref=v1), the http(s) URL of an item file, or the base URL of an OpenPAI Marketplace server.")
)

// Diagnostics about publishing and using items.
var (
	PublishedVersionDiffers = hclspec.DefineError("published-version-differs", "Published version cannot change",
		"Other users may have recorded the hash of a published version in their lock files. Publish the change as a new version.")
	ItemVersionMissing = hclspec.DefineError("item-version-missing", "Item has no version",
		"A published item must have a version. All items in a file must have the same version.")
	ItemHoldsSecret = hclspec.DefineError("item-holds-secret", "Item contains a secret value",
		"Other users can read the items of a marketplace. A published version cannot be changed or removed. The user who runs the job must provide the values of secrets.")
)
