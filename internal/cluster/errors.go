package cluster

import "errors"

// ErrNotFound says that a cluster knows nothing of a job or task.
var ErrNotFound = errors.New("not found")
