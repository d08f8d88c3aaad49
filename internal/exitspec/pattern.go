package exitspec

import "regexp"

// Pattern recognises an entry in what is known of a failed task. All parts
// that are set must hold; one pattern of an entry is enough.
type Pattern struct {
	// ExitCode is the code of the script that failed.
	ExitCode *int
	// UserLog and RuntimeLog must be found in the tail of that log.
	UserLog, RuntimeLog *Text
	// ECC asks for uncorrectable double bit errors of a GPU.
	ECC bool

	// The rest is about the Pod and its containers, as Kubernetes reports
	// them.
	PodReason       *regexp.Regexp
	Container       *regexp.Regexp // name
	ContainerReason *regexp.Regexp
	Message         *regexp.Regexp
}

// Text is a regular expression with words that every match of it contains, so
// that a large log is searched for plain words first. Words are in lower case
// and compared without regard to case; one of them is enough.
type Text struct {
	Words  []string
	Regexp *regexp.Regexp
}
