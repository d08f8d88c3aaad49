package resolve

import (
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// Canonical returns the JSON of the job: keys of maps sorted, nothing escaped
// for HTML, one line, no line break at the end. Equal jobs give equal bytes.
func (j *Job) Canonical() []byte {
	return plainjson.MustMarshal(j)
}
