package resolve

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxGrown bounds the texts of a job that grew by what was filled into them.
// The run specifications that come of them have a fraction of it.
const maxGrown = 16 << 20

// instanceBytes is what an instance counts beside its texts: few short texts
// can make very many instances.
const instanceBytes = 1 << 10

// grow notes that a text of so many bytes is made. It reports once that there
// are too many, and is false from then on: the text is to stay as it was.
func (r *resolver) grow(bytes int, at hcl.Range) bool {
	if r.grown > maxGrown {
		return false
	}
	if r.grown += bytes; r.grown <= maxGrown {
		return true
	}
	r.reportAt(hclspec.ResultTooLarge, at, "The texts of job %q have more than %d MB once references and template variables are filled in. Let the task fetch large text.", r.job.Name, maxGrown>>20)
	return false
}
