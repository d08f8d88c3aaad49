// SPDX-License-Identifier: MPL-2.0

package hclspec

import "github.com/openpai/terraform-provider-openpai/internal/contract"

// PrerequisiteBlock describes a prerequisite.
var PrerequisiteBlock = &Block{
	Name: "prerequisite", Labels: []string{"Type", "Name"}, Type: typeOf[Prerequisite](), ForEach: true, Versioned: true,
	Doc: "A dependency that must be ready before a task role runs: an image, data, a script, an output or a storage.",
	Fields: []Field{
		{Name: "type", Protocol: "type", Go: "Type", Kind: String, Values: PrerequisiteTypes, Doc: "Kind of prerequisite; in HCL the first label."},
		{Name: "name", Protocol: "name", Go: "Name", Kind: String, Pattern: namePattern, Required: true, Doc: "Name of the prerequisite; in HCL the second label."},
		{Name: "version", Protocol: "version", Go: "Version", Kind: String, AlsoNumber: true, Effect: EffectNone, Doc: "Version of the prerequisite."},
		{Name: "contributor", Protocol: "contributor", Go: "Contributor", Kind: String, Effect: EffectNone, Doc: "Person who wrote the prerequisite."},
		{Name: "description", Protocol: "description", Go: "Description", Kind: String, Effect: EffectNone, Doc: "Description of the prerequisite."},
		{Name: "uri", Protocol: "uri", Go: "URI", Kind: OneOrMore, Doc: "Location: an image reference, or the addresses of data."},
		{Name: "auth", Protocol: "auth", Go: "Auth", Kind: OptionalObject, Block: authBlock, Doc: "Login for the image registry; dockerimage only."},
		{Name: "plugin", Protocol: "plugin", Go: "Plugin", Kind: String, Doc: "Short or long name of the plugin that runs the prerequisite. Defaults to docker for images, otherwise to cmd."},
		{Name: "failure_policy", Protocol: "failurePolicy", Go: "FailurePolicy", Kind: String, Values: []string{"fail", "ignore"}, Doc: "Whether a failing callback fails the task."},
		{Name: "retry", Protocol: "retry", Go: "Retry", Kind: OptionalObject, Block: retryBlock, Doc: "Retry settings for failed callbacks."},
		{Name: "require", Protocol: "require", Go: "Require", Kind: Refs, Doc: "Prerequisites that must run before this prerequisite: names, addresses or URIs."},
		{Name: "callback", Protocol: "callbacks", Go: "Callbacks", Kind: Objects, Block: callbackBlock, Doc: "Commands that run on an event."},
		{Name: "parameters", Go: "Parameters", Kind: AnyMap, ExtraKeys: ExtraKeysOfBlock, Doc: "Parameters of the plugin; in the protocol, all other keys."},
		{Name: "template_variables", Protocol: "template_variables", Go: "TemplateVariables", Kind: Objects, Block: templateVariableBlock, Doc: "Variables whose values replace {{ NAME }} in this definition."},
		{Name: "require_storages", Protocol: "requireStorages", Go: "RequireStorages", Kind: StorageUses, Doc: "Storages that are mounted wherever this prerequisite is used."},
		{Name: "fetch", Protocol: "fetch", Go: "Fetch", Kind: Objects, Block: fetchBlock, Plural: "fetch", Doc: "Downloads that the runtime performs and checks before the taskStarts callbacks."},
		{Name: "environment", Protocol: "environment", Go: "Environment", Kind: StringMap, Doc: "Environment variables of the tasks that use the prerequisite. PAI_* and FC_* cannot be set."},
		{Name: "title", Protocol: "title", Go: "Title", Kind: String, Effect: EffectNone, Doc: "Title in a marketplace."},
		{Name: "summary", Protocol: "summary", Go: "Summary", Kind: String, Effect: EffectNone, Doc: "One-line summary for a marketplace."},
		{Name: "usage", Protocol: "usage", Go: "Usage", Kind: String, Effect: EffectNone, Doc: "Usage instructions."},
		{Name: "tags", Protocol: "tags", Go: "Tags", Kind: Strings, Effect: EffectNone, Doc: "Search keywords."},
		{Name: "author", Protocol: "author", Go: "Author", Kind: String, Effect: EffectNone, Doc: "Author in a marketplace."},
		{Name: "visibility", Protocol: "visibility", Go: "Visibility", Kind: String, Values: []string{"public", "protected", "private"}, Effect: EffectNone, Doc: "Visibility in a marketplace that has users."},
	},
}

var authBlock = &Block{
	Name: "auth", Type: typeOf[Auth](), UnknownKeys: UnknownKeysIgnored,
	Fields: []Field{
		{Name: "username", Protocol: "username", Go: "Username", Kind: String, Doc: "Username for the registry."},
		{Name: "password", Protocol: "password", Go: "Password", Kind: String, Doc: "Password for the registry, as a reference to a secret."},
		{Name: "registry_uri", Protocol: "registryuri", Go: "RegistryURI", Kind: String, Doc: "Registry; defaults to the registry of the image."},
	},
}

var callbackBlock = &Block{
	Name: "callback", Labels: []string{"Event"}, Type: typeOf[Callback](), Repeatable: true,
	Doc: "Commands that run on one event, as one script.",
	Fields: []Field{
		{Name: "event", Protocol: "event", Go: "Event", Kind: String, Resolved: contract.Events, Current: currentEvent, Required: true, Doc: "taskStarts, taskSucceeds, taskFails or taskExits; in HCL the label."},
		{Name: "commands", Protocol: "commands", Go: "Commands", Kind: Strings, Required: true, NonEmpty: true, Doc: "The script, line by line."},
		{Name: "failure_policy", Protocol: "failurePolicy", Go: "FailurePolicy", Kind: String, Values: []string{"fail", "ignore"}, Doc: "Overrides the prerequisite's failure_policy for this callback."},
		{Name: "timeout", Protocol: "timeout", Go: "Timeout", Kind: String, Format: FormatDuration, Doc: "Time after which the runtime ends the script and treats it as failed. The value may contain template variables and references."},
		{Name: "retry", Protocol: "retry", Go: "Retry", Kind: OptionalObject, Block: retryBlock, Doc: "Retry settings for the script."},
	},
}

var retryBlock = &Block{
	Name: "retry", Type: typeOf[Retry](),
	Fields: []Field{
		{Name: "attempts", Protocol: "attempts", Go: "Attempts", Kind: Int, AlwaysWritten: true, Min: bound(1), Max: maxInt32, Required: true, Doc: "Maximum number of tries."},
		{Name: "backoff", Protocol: "backoff", Go: "Backoff", Kind: Dur, Doc: "Pause before the first retry; the pause doubles after each retry."},
	},
}

var templateVariableBlock = &Block{
	Name: "template_variable", Labels: []string{"Name"}, Type: typeOf[TemplateVariable](),
	Fields: []Field{
		{Name: "name", Protocol: "name", Go: "Name", Kind: String, Required: true, Doc: "Name between the braces; in HCL the label."},
		{Name: "default", Protocol: "default", Go: "Default", Kind: OptionalString, Doc: "Default value. Without a default, a value is required."},
		{Name: "description", Protocol: "description", Go: "Description", Kind: String, Effect: EffectNone, Doc: "Purpose of the variable."},
		{Name: "pattern", Protocol: "pattern", Go: "Pattern", Kind: String, Effect: EffectNone, Doc: "Regular expression that the whole value must match."},
	},
}

var fetchBlock = &Block{
	Name: "fetch", Type: typeOf[Fetch](),
	Fields: []Field{
		{Name: "url", Protocol: "url", Go: "URL", Kind: String, Required: true, Doc: "http, https or file URL, a path below the workspace directory, or git::URL?ref= with a commit or tag."},
		{Name: "sha256", Protocol: "sha256", Go: "SHA256", Kind: String, Pattern: `^[0-9a-fA-F]{64}$`, Doc: "SHA-256 digest of the downloaded file, in hex. Without a digest, openpai does not detect changes to the data."},
		{Name: "size_mb", Protocol: "sizeMB", Go: "SizeMB", Kind: Int, Min: bound(0), Max: maxInt32, Effect: EffectNone, Doc: "Size of the download in MiB, counted in the totals of a plan. The runtime does not check the size."},
		{Name: "to", Protocol: "to", Go: "To", Kind: String, Required: true, Doc: "Target file, or target directory if extract is set or the URL is a git repository. A path with a trailing slash is a directory."},
		{Name: "extract", Protocol: "extract", Go: "Extract", Kind: Bool, Doc: "Whether to unpack the download. Supported formats: zip, tar, tar.gz, tar.bz2, tar.zst, or one compressed file."},
		{Name: "strip", Protocol: "strip", Go: "Strip", Kind: Int, Min: bound(0), Max: maxInt32, Doc: "Number of leading directories to remove from the paths in the archive."},
		{Name: "retries", Protocol: "retries", Go: "Retries", Kind: Int, Min: bound(0), Max: maxInt32, Default: 3, Doc: "Number of retries after a failed download, with increasing delays. An attempt that makes progress does not count as a retry. If the server may recover, retries continue for at least a minute. 0 disables retries."},
		{Name: "auth", Protocol: "auth", Go: "Auth", Kind: String, Doc: "Authorization header, such as \"Bearer ${secret.token}\". The runtime sends the header only to the host of the URL."},
	},
}

// currentEvent returns the current name of an event. It also accepts the
// event names of the first proposal.
func currentEvent(name string) string {
	if event, _, ok := contract.Event(name); ok {
		return event
	}
	return name
}
