package syntax

import (
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format returns the source in normal form.
func Format(src []byte) []byte { return hclwrite.Format(src) }
