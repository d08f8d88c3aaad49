package provider

import "encoding/json"

// privateState is the private state of a resource as the plugin framework
// writes it.
type privateState map[string][]byte

// decodePrivate returns an empty one for nothing, and for what cannot be read.
func decodePrivate(private []byte) privateState {
	p := privateState{}
	if json.Unmarshal(private, &p) != nil || p == nil {
		return privateState{}
	}
	return p
}

// decodeJobPrivate reads what is remembered of a job.
func decodeJobPrivate(private []byte) jobPrivate {
	var m jobPrivate
	if json.Unmarshal(decodePrivate(private)[jobPrivateKey], &m) != nil {
		return jobPrivate{}
	}
	return m
}

// encodeJobPrivate puts what is to be remembered of a job beside what else there
// is.
func encodeJobPrivate(private []byte, m jobPrivate) []byte {
	p := decodePrivate(private)
	p[jobPrivateKey] = m.marshal()
	text, err := json.Marshal(p)
	if err != nil {
		panic("provider: " + err.Error()) // bytes always marshal
	}
	return text
}
