// SPDX-License-Identifier: MPL-2.0

package lockfile

import "github.com/openpai/terraform-provider-openpai/hclspec"

// InvalidLockFile is the diagnostic for errors in the lock file.
var InvalidLockFile = hclspec.DefineError("invalid-lock-file", "Lock file cannot be read",
	"openpai init and openpai lock write the lock file. Restore it from version control, or delete it and run openpai init again.")
