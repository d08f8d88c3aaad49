// SPDX-License-Identifier: MPL-2.0

package protocol

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics about OpenPAI protocol YAML: job files, fragments, the older format
// with tasks, and files of marketplace items.
var (
	InvalidYAML = hclspec.DefineError("yaml-invalid", "Not valid YAML",
		"The YAML parser could not read the file. The usual cause is an unquoted value that contains a colon, or a line with the wrong indentation.")
	YAMLTooLarge = hclspec.DefineError("yaml-too-large", "YAML file is too large",
		"Files are limited to 5 MiB, 200 levels of nesting, 1,000 documents with items, and 250,000 values after aliases are expanded. Real job files are far below these limits.")
	MultipleDocuments = hclspec.DefineError("yaml-multiple-documents", "More than one YAML document",
		"A job file can contain only one document. Split the file at the lines with three dashes. Only files of marketplace items may contain several documents.")
	DuplicateKey = hclspec.DefineError("yaml-duplicate-key", "Duplicate key",
		"A mapping can contain a key only once. Remove or rename one of the duplicates.")
	UnsupportedYAML = hclspec.DefineError("yaml-unsupported", "Unsupported YAML feature",
		"Keys must be plain strings, and values must have JSON types. Job files must not contain custom tags, keys that are lists or mappings, or aliases that contain themselves.")
	UnquotedPlaceholder = hclspec.DefineError("yaml-unquoted-placeholder", "Placeholder without quotes",
		"YAML reads an unquoted {{ name }} as a mapping. Render the template before you use the file as a job, or quote the string.")
	QuotedPlaceholder = hclspec.DefineWarning("yaml-quoted-placeholder", "Placeholder read as a string",
		"In a prerequisite, openpai reads an unquoted {{ name }} as a string. Add quotes, because other YAML parsers reject the string or read it as a mapping.")
	UnknownKey = hclspec.DefineError("yaml-unknown-key", "Unknown key",
		"The protocol does not define this key here, and OpenPAI rejects jobs with unknown keys. Correct the spelling, or remove the key.")
	IgnoredKey = hclspec.DefineWarning("yaml-ignored-key", "Key has no effect",
		"The key is allowed here, but has no effect. openpai omits the key when it writes the job.")
	WrongYAMLType = hclspec.DefineError("yaml-wrong-type", "Wrong type of value",
		"The protocol requires a value of a different YAML type here: a string, an integer, a bool, a list or a mapping. A string that looks like a number, a bool or a mapping needs quotes.")
	MissingKey = hclspec.DefineError("yaml-missing-key", "Missing key",
		"The protocol requires the key. A job requires protocolVersion, name, type and taskRoles; a task role requires dockerImage, resourcePerInstance and commands.")
	EmptyValue = hclspec.DefineError("yaml-empty", "List or mapping is empty",
		"The protocol requires at least one element here. Add an element, or remove the key.")
	AmbiguousScalar = hclspec.DefineWarning("yaml-ambiguous", "YAML 1.1 and 1.2 read the value differently",
		"YAML parsers disagree on unquoted yes, no, on, off, numbers with a leading zero, and digits with colons. OpenPAI itself uses two different parsers. Write true, false or a plain number, or put the value in quotes.")
	URIList = hclspec.DefineWarning("yaml-uri-list", "List of addresses",
		"In the protocol, only data prerequisites can have a list of addresses. openpai also accepts a list in a script prerequisite, but OpenPAI rejects it.")
	NumberSpelling = hclspec.DefineWarning("yaml-number-spelling", "OpenPAI prints the number differently",
		"OpenPAI formats the numbers in parameters like JavaScript: 10.0 becomes 10, and 1e-3 becomes 0.001. openpai keeps the number as written. Put the number in quotes to get the same output from OpenPAI and openpai.")
	NumericVersion = hclspec.DefineWarning("yaml-numeric-version", "Version is a number",
		"Versions are strings in the protocol. openpai reads the number as a string with the same spelling. Put the version in quotes.")
	NullValue = hclspec.DefineWarning("yaml-null", "Key without a value",
		"openpai treats a key without a value as absent. Remove the key.")
	DraftSpelling = hclspec.DefineWarning("yaml-draft-spelling", "Spelling from an early draft",
		"Before the protocol was released, some keys had other names, which OpenPAI now ignores. openpai reads each old name as the current key.")
	MaskedSecrets = hclspec.DefineError("yaml-masked-secrets", "Secrets are masked",
		"When OpenPAI shows a job's configuration, it replaces the secrets with asterisks. Replace the asterisks with a mapping of secret names to values.")
	UnsupportedProtocolVersion = hclspec.DefineError("yaml-protocol-version", "Unsupported protocol version",
		"openpai supports version 2 of the job protocol, and the older format with tasks and protocol_version: v2.")
	NotAProtocolFile = hclspec.DefineError("yaml-not-a-job", "Neither a job nor an item",
		"A job has taskRoles, or tasks in the older format. An item is a named prerequisite, or a list of named prerequisites.")
	JobFragment = hclspec.DefineWarning("yaml-fragment", "Job without a header",
		"The file has task roles, but none of the keys protocolVersion, name and type. openpai reads the file as a job and names the job after the file. OpenPAI requires all three keys.")
)

// Diagnostics about the older format with tasks.
var (
	LegacyRenamed = hclspec.DefineWarning("legacy-renamed", "Name was changed",
		"Names in the protocol may contain letters, digits, - and _. openpai replaced other characters with _. Make the same change in commands that contain the old name.")
	LegacyNoEqual = hclspec.DefineWarning("legacy-no-equal", "The protocol has no equivalent",
		"A setting of the older format has no equivalent in the protocol and was dropped.")
	LegacyUnresolved = hclspec.DefineWarning("legacy-unresolved", "Reference without a value",
		"$$name$$ refers to a property of the task or to a parameter. Neither exists, so openpai did not change the reference.")
	LegacyUnsupportedURI = hclspec.DefineError("legacy-unsupported-uri", "Address cannot be used",
		"The older format downloads files from http, https and hdfs addresses, and checks out git repositories. For other addresses, write your own commands.")
	LegacyNeedsHDFS = hclspec.DefineWarning("legacy-needs-hdfs", "The image needs the hdfs program",
		"The task uses the hdfs program to copy files from an hdfs address. If the image does not contain this program, the task fails before it runs its commands.")
	LegacyDirectory = hclspec.DefineWarning("legacy-directory", "Location of the files",
		"Data and scripts are in a directory named after the prerequisite. The directory contains one entry per address. Some releases of OpenPAI put the content directly into the directory.")
)

// Diagnostics about writing protocol YAML.
var (
	NotInProtocol = hclspec.DefineWarning("not-in-protocol", "The protocol has no equivalent",
		"The job uses a feature that the protocol does not have. The protocol file omits the feature, and OpenPAI runs the job without it.")
	URINotRendered = hclspec.DefineWarning("uri-not-rendered-by-openpai", "OpenPAI does not fill in the uri",
		"openpai fills in references in a uri, but OpenPAI does not. OpenPAI therefore cannot pull an image whose uri contains a reference.")
	CallbacksIgnored = hclspec.DefineWarning("callbacks-ignored-by-openpai", "OpenPAI ignores the callbacks",
		"An OpenPAI server runs the callbacks of a prerequisite only if its plugin field contains the long name com.microsoft.pai.runtimeplugin.cmd.")
	UnknownInWorkspace = hclspec.DefineError("not-in-workspace", "Reference does not exist",
		"The job refers to a declaration that does not exist in the workspace, so openpai cannot write the reference into the protocol file.")
)
