// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"time"
)

// DiskKeeper is a cluster that keeps files other than run records on the local disk.
type DiskKeeper interface {
	// DiskUse lists all kept files, including files that no limit removes.
	DiskUse(ctx context.Context) ([]DiskUse, error)
	// CleanDisk removes the files that exceed the limits and returns them. If dry is true,
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

// DiskUse is the disk usage of one kind of files.
type DiskUse struct {
	Kind  DiskKind
	Count int // number of files, of jobs, or of copies of the program
	Bytes int64
	// Files are the removed files. DiskKeeper.DiskUse does not set Files.
	Files []DiskFile
}

// DiskFile is a file, or a directory and its content. Path is relative to the
// directory of the workspace.
type DiskFile struct {
	Path  string
	Bytes int64
}

// DiskLimits limits the kept files other than runs. CleanDisk always removes unused
// copies of the program.
type DiskLimits struct {
	// Before limits the age: CleanDisk removes downloads that were last used
	// before this time. The zero value does not limit the age.
	Before time.Time
	// DownloadBytes limits the total size of downloads; the most recently used
	// downloads are kept. 0 means no limit.
	DownloadBytes int64
	// Items and Modules are the hashes of the items and modules to keep; nil keeps
	// all.
	Items, Modules map[string]bool
}
