// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"time"
)

// DiskKeeper is a cluster that stores run records and other files on the local
// disk.
type DiskKeeper interface {
	// DiskUse returns the disk usage of all kept files by kind, including
	// files to which no limit applies.
	DiskUse(ctx context.Context) ([]DiskUse, error)
	// CleanDisk removes and returns the files that exceed the limits. If dry is true,
	// it returns the files without removing them.
	CleanDisk(ctx context.Context, l DiskLimits, dry bool) ([]DiskUse, error)
}

// DiskKind is a kind of kept files.
type DiskKind string

// The values of DiskKind.
const (
	DiskRuns      DiskKind = "records of runs"
	DiskLogs      DiskKind = "logs of runs"
	DiskJobs      DiskKind = "jobs with their logs"
	DiskDownloads DiskKind = "downloads"
	DiskPrograms  DiskKind = "program copies"
	DiskItems     DiskKind = "marketplace items"
	DiskModules   DiskKind = "modules"
)

// DiskUse is the disk usage of one kind of file.
type DiskUse struct {
	Kind  DiskKind
	Count int // number of files, jobs, or program copies
	Bytes int64
	// Files are the removed files. DiskKeeper.DiskUse does not set Files.
	Files []DiskFile
}

// DiskFile is a file, or a directory and its content. Path is relative to the
// workspace directory.
type DiskFile struct {
	Path  string
	Bytes int64
}

// DiskLimits contains the limits for kept files other than runs. Regardless of
// the limits, CleanDisk removes unused program copies.
type DiskLimits struct {
	// Before limits the age: CleanDisk removes downloads that were last used
	// before this time. The zero value does not limit the age.
	Before time.Time
	// DownloadBytes limits the total size of downloads; the most recently used
	// downloads are kept. 0 means no limit.
	DownloadBytes int64
	// Items and Modules are the hashes to keep; nil keeps all.
	Items, Modules map[string]bool
}
