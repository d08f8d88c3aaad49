package hclspec

// Findings about marketplaces and the items in them.
var (
	InvalidItemReference = defineError("invalid-item-reference", "Invalid reference to an item",
		"An item is named by marketplace://name/x, marketplace://<type>/x, marketplace://prerequisites/itemId/<id>, each with ?from=NAME&version=V where it is needed, or by the URL of a file, https://host/items.yml#x.")
	ItemNotFound = defineError("item-not-found", "Item not found",
		"No declared marketplace has the item. Look at `openpai marketplace list`; further sources are declared with marketplace blocks, --marketplace NAME=SOURCE or OPENPAI_MARKETPLACE.")
	AmbiguousItem = defineError("ambiguous-item", "Two items of one name",
		"A reference fits two items. Write the type instead of name, or add ?from=NAME or &version=V.")
	ItemNotPrerequisite = defineError("item-not-a-prerequisite", "Item is a whole job",
		"A whole job cannot prepare a task. Run it with `openpai run marketplace://job/x`, or copy it with `openpai marketplace use`.")
	ItemNotAJob = defineError("item-not-a-job", "Item is no job",
		"Only items that are whole jobs can be run. Prerequisites are listed by a task role; `openpai marketplace use` writes a job around one.")
	MarketplaceUnreachable = defineError("marketplace-unreachable", "Marketplace cannot be reached",
		"The server or repository of a marketplace did not answer in time, or answered with a failure of its own, also when asked again.")
	MarketplaceNotPermitted = defineError("marketplace-not-permitted", "Marketplace refuses access",
		"The source wants a credential, or the one it was given may not read the item. Set token of the marketplace block to a secret; git sources also use git's own helpers.")
	ItemNotParseable = defineError("item-not-parseable", "Item cannot be read",
		"The file or answer is no item file: a prerequisite, a list of prerequisites, or one job, in YAML or HCL.")
	ItemTooLarge = defineError("item-too-large", "Item is too large",
		"Item files are limited in size, so that a source cannot fill this machine. Data belongs behind a fetch.")
	UnsafeItem = defineError("unsafe-item", "Item file is refused",
		"Items are read from regular files inside the source. Symbolic links and paths that lead out of it are not followed.")
	InvalidMarketplaceSource = defineError("invalid-marketplace-source", "Invalid source of a marketplace",
		"A source is a directory, a git address (git::https://host/repo.git//directory?ref=v1), the http(s) URL of an item file, or the base URL of an OpenPAI Marketplace server.")
	MarketplaceInCluster = defineError("marketplace-in-cluster", "Marketplace in a cluster is not available",
		"Items that are published in a Kubernetes cluster are read with the cluster block that the marketplace names. Declare it, or write cluster in the kubernetes block.")
)

// Findings about publishing and using items.
var (
	PublishedVersionDiffers = defineError("published-version-differs", "Published version cannot change",
		"Others have recorded the hash of a published version. Publish the change under a new version.")
	ItemVersionMissing = defineError("item-version-missing", "Item has no version",
		"An item that is published has a version, and the items of one file have the same.")
	ItemHoldsSecret = defineError("item-holds-secret", "Item holds the value of a secret",
		"What is in a marketplace is read by others, and a version is never changed or taken back. Values of secrets belong to who runs the job.")
	CannotPublish = defineError("cannot-publish", "Item cannot be published there",
		"Items are published to a directory, the work tree of a git repository, a namespace of a Kubernetes cluster, or an OpenPAI Marketplace server.")
)

// Findings about the lock file.
var (
	InvalidLockFile = defineError("invalid-lock-file", "Lock file cannot be read",
		"The lock file is written by openpai init and openpai lock. Restore it from version control, or delete it and run openpai init again.")
	LockMismatch = defineError("lock-mismatch", "Item differs from the lock file",
		"The content of an item is not what the lock file has recorded. When the change is wanted, run `openpai lock --update ADDRESS`; otherwise find out who changed it.")
	ItemMoved = defineWarning("item-moved", "Item has changed upstream",
		"The marketplace now has another content or version than the lock file. The locked one is used; `openpai lock --update ADDRESS` takes the new one.")
	ImageDigestUnknown = defineWarning("image-digest-unknown", "Digest of an image is not known",
		"The registry of an image could not be asked for its digest, so the lock file does not pin it.")
	DownloadDigestUnknown = defineWarning("download-digest-unknown", "Digest of a download is not known",
		"What a prerequisite fetches could not be read, so the lock file does not pin it.")
)
