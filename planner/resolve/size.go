// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxSize is the maximum total size of strings that templates fill in for a
// job. The resulting run specifications contain only a fraction of this size.
const maxSize = 16 << 20

// instanceBytes is the size that an instance adds to the total in addition to its
// strings, because a few short strings can create many instances.
const instanceBytes = 1 << 10

// grow adds the size of a new string. If the total exceeds the limit, grow
// reports it once and returns false from then on; the caller must then keep the
// original string.
func (r *reporter) grow(bytes int, at hcl.Range) bool {
	if r.full() {
		return false
	}
	if r.size += bytes; !r.full() {
		return true
	}
	r.reportAt(hclspec.ResultTooLarge, at, "The strings of job %q have more than %d MiB after references and template variables are filled in. Let the task fetch large text.", r.job, maxSize>>20)
	return false
}

func (r *reporter) full() bool { return r.size > maxSize }
