// SPDX-License-Identifier: MPL-2.0

package protocol

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics about OpenPAI protocol YAML: job files, fragments, the older format
// with tasks, and files of marketplace items.
var (
	InvalidYAML = hclspec.DefineError("yaml-invalid", "Not valid YAML",
		"The YAML parser could not read the file. Most often a value with a colon needs quotes, or a line has the wrong indentation.")
	YAMLTooLarge = hclspec.DefineError("yaml-too-large", "YAML file is too large",
		"Files are limited to 5 MiB, nesting to 200 levels, items to 1,000 documents, and what the file says after its aliases are filled in to 250,000 values. Job files stay far below all of them.")
	MultipleDocuments = hclspec.DefineError("yaml-multiple-documents", "More than one YAML document",
		"A job file holds one document. Split the file at the lines with three dashes. Only files of marketplace items may hold several.")
	DuplicateKey = hclspec.DefineError("yaml-duplicate-key", "Key is written twice",
		"A mapping holds every key once. Remove or rename one of them.")
	UnsupportedYAML = hclspec.DefineError("yaml-unsupported", "Unsupported YAML feature",
		"Keys are plain text, and values are the types of JSON. Custom tags, keys that are lists or mappings, and aliases that contain themselves are not used in job files.")
	UnquotedPlaceholder = hclspec.DefineError("yaml-unquoted-placeholder", "Placeholder without quotes",
		"YAML reads {{ name }} without quotes as a mapping. Render the template before it is used as a job, or quote the text.")
	QuotedPlaceholder = hclspec.DefineWarning("yaml-quoted-placeholder", "Placeholder read as text",
		"In a prerequisite {{ name }} without quotes is read as text. Other YAML readers refuse it or see a mapping: write quotes.")
	UnknownKey = hclspec.DefineError("yaml-unknown-key", "Unknown key",
		"The protocol has no such key in this place, and OpenPAI refuses jobs that have one. Correct the spelling, or remove it.")
	IgnoredKey = hclspec.DefineWarning("yaml-ignored-key", "Key has no effect",
		"The key is allowed in this place, but nothing reads it. It is omitted when the job is written again.")
	WrongYAMLType = hclspec.DefineError("yaml-wrong-type", "Wrong type of value",
		"The value has another YAML type than the protocol wants here: a string, an integer, a bool, a list, or a mapping. A string that looks like a number, a boolean or a mapping needs quotes.")
	MissingKey = hclspec.DefineError("yaml-missing-key", "Missing key",
		"The protocol requires the key. A job has protocolVersion, name, type and taskRoles; a task role has dockerImage, resourcePerInstance and commands.")
	EmptyValue = hclspec.DefineError("yaml-empty", "Nothing is listed",
		"The protocol wants at least one element here. Add one, or remove the key.")
	AmbiguousScalar = hclspec.DefineWarning("yaml-ambiguous", "Value is read differently by YAML 1.1 and 1.2",
		"Without quotes yes, no, on, off, numbers with a leading zero, and digits with colons mean different things to different YAML readers; OpenPAI itself has two. Write true or false, a plain number, or quotes.")
	URIList = hclspec.DefineWarning("yaml-uri-list", "List of addresses",
		"In the protocol only data may have a list of addresses. A script with one is read here, and OpenPAI refuses it.")
	NumberSpelling = hclspec.DefineWarning("yaml-number-spelling", "OpenPAI prints the number in another way",
		"OpenPAI fills parameters in as JavaScript prints them: 10.0 as 10, 1e-3 as 0.001. Here a number keeps its spelling. In quotes both print the same.")
	NumericVersion = hclspec.DefineWarning("yaml-numeric-version", "Version is a number",
		"Versions are text in the protocol; a number is kept as it is written. Quote it.")
	NullValue = hclspec.DefineWarning("yaml-null", "Key without a value",
		"The key is written with no value and is read as if it was not there. Remove it.")
	DraftSpelling = hclspec.DefineWarning("yaml-draft-spelling", "Spelling of an early draft",
		"Before the protocol was released some keys had other names, which OpenPAI ignores today. They are read as the present ones.")
	MaskedSecrets = hclspec.DefineError("yaml-masked-secrets", "Secrets are masked",
		"OpenPAI shows the configuration of a job with asterisks in place of its secrets. Write the secrets again as a mapping of names to values.")
	MaskedSecret = hclspec.DefineWarning("yaml-masked-secret", "Value of a secret is missing",
		"A secret whose value is only asterisks has been exported without its value. Write the value before the job is run.")
	UnsupportedProtocolVersion = hclspec.DefineError("yaml-protocol-version", "Unsupported protocol version",
		"Version 2 of the job protocol is supported, and the older format with tasks and protocol_version: v2.")
	NotAProtocolFile = hclspec.DefineError("yaml-not-a-job", "Neither a job nor an item",
		"A job has taskRoles, or tasks in the older format. An item is a prerequisite with a name, or a list of them.")
	JobFragment = hclspec.DefineWarning("yaml-fragment", "Job without a header",
		"The file has task roles and none of protocolVersion, name and type. It is read as a job that is named after the file. OpenPAI itself wants all three.")
)

// Diagnostics about the older format with tasks.
var (
	LegacyRenamed = hclspec.DefineWarning("legacy-renamed", "Name was changed",
		"Names may hold letters, digits, - and _ in the protocol. Others were replaced by _. Commands that spell the old name need the same change.")
	LegacyNoEqual = hclspec.DefineWarning("legacy-no-equal", "The protocol has nothing equal",
		"A setting of the older format cannot be said in the protocol and was omitted.")
	LegacyUnresolved = hclspec.DefineWarning("legacy-unresolved", "Reference without a value",
		"$$name$$ stands for a property of the task or a parameter. Neither exists, so the text was left as it is.")
	LegacyUnsupportedURI = hclspec.DefineError("legacy-unsupported-uri", "Address cannot be used",
		"The older format downloads http, https and hdfs addresses, and checks out git repositories. Other addresses need your own commands.")
	LegacyNeedsHDFS = hclspec.DefineWarning("legacy-needs-hdfs", "The image must have hdfs",
		"An hdfs address of the older format is copied with the hdfs program of the image. Without it the task fails before its commands.")
	LegacyDirectory = hclspec.DefineWarning("legacy-directory", "Place of the files",
		"Data and scripts are placed in a directory with the name of the prerequisite, below it one entry per address. Some releases of OpenPAI omitted the second level.")
)

// Diagnostics about writing protocol YAML.
var (
	NotInProtocol = hclspec.DefineWarning("not-in-protocol", "The protocol has nothing equal",
		"The job uses something that exists only here. The written protocol file leaves it out, and OpenPAI runs the job without it.")
	URINotRendered = hclspec.DefineWarning("uri-not-rendered-by-openpai", "OpenPAI does not fill in the uri",
		"References in a uri are filled in here. OpenPAI leaves them as they are, so an image with one cannot be pulled there.")
	CallbacksIgnored = hclspec.DefineWarning("callbacks-ignored-by-openpai", "OpenPAI ignores the callbacks",
		"An OpenPAI server runs the callbacks of a prerequisite only where plugin has its long name, com.microsoft.pai.runtimeplugin.cmd.")
	UnknownInWorkspace = hclspec.DefineError("not-in-workspace", "Reference does not exist",
		"The job refers to a declaration that the workspace does not have, so it cannot be written into the protocol file.")
)
