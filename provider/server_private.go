package provider

import "encoding/json"

// privateState is the private state of a resource as the plugin framework
// writes it.
type privateState map[string][]byte

// readPrivate returns an empty one for nothing, and for what cannot be read.
func readPrivate(private []byte) privateState {
	p := privateState{}
	if json.Unmarshal(private, &p) != nil || p == nil {
		return privateState{}
	}
	return p
}

// recallBytes reads what is remembered of a job.
func recallBytes(private []byte) memory {
	var m memory
	if json.Unmarshal(readPrivate(private)[memoryKey], &m) != nil {
		return memory{}
	}
	return m
}

// memorizeBytes puts what is to be remembered of a job beside what else there
// is.
func memorizeBytes(private []byte, m memory) []byte {
	p := readPrivate(private)
	p[memoryKey] = m.text()
	text, err := json.Marshal(p)
	if err != nil {
		panic("provider: " + err.Error()) // bytes always marshal
	}
	return text
}
