// SPDX-License-Identifier: MPL-2.0

package lockfile

import "github.com/openpai/terraform-provider-openpai/hclspec"

// InvalidLockFile is the diagnostic for errors in the lock file.
var InvalidLockFile = hclspec.DefineError("invalid-lock-file", "Lock file cannot be read",
	"Only openpai commands may write the lock file. Restore the file from version control, or delete it and initialize the workspace again.")
