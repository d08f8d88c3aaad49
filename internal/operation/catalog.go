package operation

import "github.com/openpai/terraform-provider-openpai/hclspec"

// SecretUnavailable is about the files of a workspace and what is given with them.
var SecretUnavailable = hclspec.DefineError("secret-unavailable", "Value of a secret is not available",
	"The environment variable or file that a secret block names is missing or empty. Apply needs the value. A plan needs it where it replaces a job that is not finished; else it is a warning.")
