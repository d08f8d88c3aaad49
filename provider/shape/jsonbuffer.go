package shape

import "bytes"

// jsonBuffer takes the output of a json.Encoder, which ends it with a line
// break.
type jsonBuffer struct{ bytes.Buffer }

func (b *jsonBuffer) trimmed() []byte { return bytes.TrimSuffix(b.Bytes(), []byte("\n")) }
