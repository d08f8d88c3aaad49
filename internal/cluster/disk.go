package cluster

import (
	"context"
	"time"
)

// DiskKeeper is a cluster that keeps files on this machine besides records of runs.
type DiskKeeper interface {
	// DiskUse lists what is kept, also what no limit removes.
	DiskUse(ctx context.Context) ([]DiskUse, error)
	// CleanDisk removes what is beyond the limits, and returns what it removed, or
	// would remove when dry.
	CleanDisk(ctx context.Context, l DiskLimits, dry bool) ([]DiskUse, error)
}

// DiskKind is what files are kept for.
type DiskKind string

// The kinds of files.
const (
	DiskRuns      DiskKind = "records of runs"
	DiskLogs      DiskKind = "logs of runs"
	DiskJobs      DiskKind = "jobs with their logs"
	DiskDownloads DiskKind = "downloads"
	DiskPrograms  DiskKind = "program copies"
	DiskItems     DiskKind = "marketplace items"
)

// DiskUse is how much is kept of a kind.
type DiskUse struct {
	Kind  DiskKind
	Count int // of files, or of copies of the program
	Bytes int64
}

// DiskLimits bound what is kept besides runs. Copies of the program that nothing
// runs from are removed in any case.
type DiskLimits struct {
	// Before removes downloads that were last used before that time; zero: none.
	Before time.Time
	// DownloadBytes bounds the downloads, the latest stay; 0: no limit.
	DownloadBytes int64
	// Items are the hashes of the items that stay; nil: all.
	Items map[string]bool
}
