//go:build unix

package runtime

// classify gives the exit code of the specification.
func (t *task) classify() {
	r := &t.record
	switch {
	case r.Code != 0:
	case r.UserCode == 0:
		r.Phrase = "Succeeded"
	default:
		r.Code, r.Phrase = 255, "PAIRuntimeUnknownFailed"
	}
}
