package resolve

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxSize bounds the strings of a job that grew by what was filled into them.
// The run specifications that come of them have a fraction of it.
const maxSize = 16 << 20

// instanceBytes is what an instance counts beside its strings: few short strings
// can make very many instances.
const instanceBytes = 1 << 10

// grow notes that a string of so many bytes is made. It reports once that there
// are too many, and is false from then on: the string is to stay as it was.
func (r *reporter) grow(bytes int, at hcl.Range) bool {
	if r.full() {
		return false
	}
	if r.size += bytes; !r.full() {
		return true
	}
	r.reportAt(hclspec.ResultTooLarge, at, "The texts of job %q have more than %d MB once references and template variables are filled in. Let the task fetch large text.", r.job, maxSize>>20)
	return false
}

func (r *reporter) full() bool { return r.size > maxSize }
