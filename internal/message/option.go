package message

// Option is an input of an operation, which each front end calls by another
// name, such as that of a flag.
type Option string

// The options.
const (
	OptionVariable   Option = "var"
	OptionJob        Option = "job"
	OptionPath       Option = "path"
	OptionLogStorage Option = "log-storage"
)

// Options lists every option, for the tests of the front ends.
func Options() []Option {
	return []Option{OptionVariable, OptionJob, OptionPath, OptionLogStorage}
}

// Fact marks an option as a fact.
func (Option) Fact() {}

func (o Option) String() string { return string(o) }
