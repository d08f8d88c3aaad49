package marketplace

import "time"

// Limits bound what a source can make this machine do.
type Limits struct {
	// FileBytes is the size of one item file, ListBytes that of an answer with
	// many items, RepositoryBytes that of a git repository on disk.
	FileBytes, ListBytes, RepositoryBytes int64
	// Files is the number of item files of a directory or repository.
	Files int
	// Items is how many items a workspace may lead to.
	Items int
	// Attempt is the time for one request, Total that for all tries together.
	Attempt, Total time.Duration
	// Tries is how often a request is made, Pause what lies before the second;
	// it doubles each time. Wait is the longest Retry-After that is honoured.
	Tries       int
	Pause, Wait time.Duration
}

// DefaultLimits are those of the command line.
var DefaultLimits = Limits{
	FileBytes: 4 << 20, ListBytes: 32 << 20, RepositoryBytes: 512 << 20, Files: 5000, Items: 1000,
	Attempt: 30 * time.Second, Total: 2 * time.Minute,
	Tries: 4, Pause: 500 * time.Millisecond, Wait: 30 * time.Second,
}
