// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Remedy returns the CLI-specific advice of a catalog entry: sentences with the
// commands and flags that solve the problem. It returns "" if the entry needs only
// its Advice. The provider has a separate table for users of Terraform.
func Remedy(code string) string { return remedies[code] }

// Remedies returns the sorted codes of the entries that have a remedy.
func Remedies() []string { return slices.Sorted(maps.Keys(remedies)) }

var remedies = map[string]string{
	"foreign-job":           "Adopt the existing job with `openpai adopt ADDRESS`.",
	"invalid-policy-test":   "`openpai policy test --help` shows an example.",
	"missing-runtime-image": "Push the image with `openpai cluster push-runtime REPOSITORY` and set it in the cluster block: `runtime { image = \"...\" }`.",
	"permission-missing":    "`openpai cluster manifests` prints the role.",
	"pod-not-restricted":    "`openpai cluster manifests` prints the policy.",
	"policy-denied":         "`--policy DIR` and OPENPAI_POLICY set policy directories outside the workspace.",
	"policy-directory":      "Correct the directory in `--policy DIR` or OPENPAI_POLICY.",
	"record-missing":        "`openpai apply --rerun ADDRESS` replaces the job.",
	"unknown-plan-address":  "`openpai status` lists the jobs. The argument ADDRESS and the flags `--job` and `--rerun` accept such addresses.",
	"secret-not-compared":   "`openpai cluster manifests` prints the role.",
	"unreadable-job":        "`openpai repair` moves the files to .openpai/quarantine, whereas `openpai destroy` removes them.",
	"unreadable-secret-key": "`openpai repair` moves the file to .openpai/quarantine.",

	"invalid-lock-file":       "`openpai init` creates a missing lock file.",
	"item-moved":              "`openpai lock --update ADDRESS` locks the new content.",
	"item-not-a-job":          "`openpai marketplace use` writes a job that uses the prerequisite.",
	"item-not-a-prerequisite": "Run the job with `openpai run marketplace://job/x`, or copy it with `openpai marketplace use`.",
	"item-not-found":          "`openpai marketplace list` lists the items. To declare a marketplace, add a marketplace block, or set `--marketplace NAME=SOURCE` or OPENPAI_MARKETPLACE.",
	"items-not-initialised":   "`openpai init` fetches the items and records them in the lock file.",
	"lock-mismatch":           "`openpai lock --update ADDRESS` updates the lock file.",
	"module-lock-mismatch":    "`openpai lock --update ADDRESS` accepts the change.",
	"module-not-initialized":  "`openpai init` fetches the module. Commands such as `openpai plan` do not fetch modules.",

	"invalid-marketplace-argument": "Write `--marketplace NAME=SOURCE`.",
	"invalid-storage-argument":     "Write `--storage NAME=DIRECTORY`.",
	"invalid-variable-argument":    "Write `--var NAME=VALUE`.",
	"missing-variable-value":       "Pass the value with `--var NAME=VALUE`, or a file with `--var-file FILE`.",
}

// explained returns a diagnostic for a catalog entry: the text of err,
// followed by the advice and the remedy of the entry.
func explained(err error, entry *hclspec.Entry) *hcl.Diagnostic {
	advice := strings.TrimSpace(entry.Advice + " " + Remedy(entry.Code))
	return entry.At(hcl.Range{}, "%s. %s", err, advice)
}
