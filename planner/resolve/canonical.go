package resolve

import (
	"bytes"
	"encoding/json"
)

// Canonical returns the JSON of the job: keys of maps sorted, nothing escaped
// for HTML, one line, no line break at the end. Equal jobs give equal bytes.
func (j *Job) Canonical() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(j); err != nil {
		panic("resolve: a resolved job holds a value that is not JSON: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
