// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxSize is the maximum total size of a job's rendered strings, in bytes. The
// run specifications of the job contain only a fraction of these strings.
const maxSize = 16 << 20

// instanceBytes is the size that each instance adds to the total in addition
// to its strings. Without it, a job with few short strings could have too
// many instances.
const instanceBytes = 1 << 10

// grow adds the size of a new string to the total. When the total exceeds the
// limit, grow reports one error. If grow returns false, the caller must keep
// the original string.
func (r *reporter) grow(bytes int, at hcl.Range) bool {
	if r.full() {
		return false
	}
	if r.size += bytes; !r.full() {
		return true
	}
	r.reportAt(hclspec.ResultTooLarge, at, "The strings in job %q exceed %d MiB after references and template variables are filled in. Use a fetch for large data.", r.job, maxSize>>20)
	return false
}

func (r *reporter) full() bool { return r.size > maxSize }
