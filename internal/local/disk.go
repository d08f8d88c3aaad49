// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/module"
)

var _ cluster.DiskKeeper = (*Cluster)(nil)

// keptFile is a file or a whole directory that may be removed.
type keptFile struct {
	path  string
	bytes int64
	used  time.Time
}

// DiskUse implements cluster.DiskKeeper.
func (c *Cluster) DiskUse(context.Context) ([]cluster.DiskUse, error) {
	l := c.layout
	records, logs := []keptFile{}, []keptFile{}
	for _, workspace := range children(l.Join("history")) {
		for _, f := range children(workspace.path) {
			name, isRecord := strings.CutSuffix(filepath.Base(f.path), ".json")
			switch _, ok := history.ParseKey(name); {
			case ok && isRecord:
				records = append(records, f)
			case ok:
				logs = append(logs, f)
			}
		}
	}
	jobs := append(children(l.Frameworks()), children(l.Records())...)
	for _, dir := range l.AllAttempts() {
		jobs = append(jobs, children(dir)...)
	}
	return []cluster.DiskUse{
		total(cluster.DiskRuns, records), total(cluster.DiskLogs, logs), totalOfJobs(jobs),
		total(cluster.DiskDownloads, children(c.downloads())), total(cluster.DiskPrograms, children(l.Programs())), total(cluster.DiskItems, children(l.Items())),
		total(cluster.DiskModules, children(l.Modules())),
	}, nil
}

// downloads returns the directory of the cached files. The name of each file is the
// hash of its content.
func (c *Cluster) downloads() string { return filepath.Join(c.layout.FetchCache(), "objects") }

// children returns the files and directories in dir, except symbolic links.
func children(dir string) []keptFile {
	var all []keptFile
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue
		}
		f := keptFile{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()}
		if e.IsDir() {
			f.bytes = store.DirSize(f.path)
		}
		all = append(all, f)
	}
	return all
}

func total(kind cluster.DiskKind, files []keptFile) cluster.DiskUse {
	u := cluster.DiskUse{Kind: kind, Count: len(files)}
	for _, f := range files {
		u.Bytes += f.bytes
	}
	return u
}

// totalOfJobs counts each job once: the object, the record and the attempts are
// named after the Framework.
func totalOfJobs(files []keptFile) cluster.DiskUse {
	jobs := map[string]bool{}
	for _, f := range files {
		jobs[strings.TrimSuffix(filepath.Base(f.path), ".json")] = true
	}
	u := total(cluster.DiskJobs, files)
	u.Count = len(jobs)
	return u
}

// CleanDisk implements cluster.DiskKeeper. A task can continue to read a
// download after the file is removed.
func (c *Cluster) CleanDisk(_ context.Context, l cluster.DiskLimits, dry bool) ([]cluster.DiskUse, error) {
	if !dry {
		release, err := c.acquire()
		if err != nil {
			return nil, err
		}
		defer release()
	}
	programs, err := c.layout.UnusedPrograms(c.options.Now())
	if err != nil {
		return nil, err
	}
	copies := slices.DeleteFunc(children(c.layout.Programs()), func(f keptFile) bool { return !slices.Contains(programs, f.path) })
	removed := map[cluster.DiskKind][]keptFile{
		cluster.DiskDownloads: excessDownloads(children(c.downloads()), l),
		cluster.DiskPrograms:  copies,
		cluster.DiskItems:     unlockedItems(children(c.layout.Items()), l.Items),
		cluster.DiskModules:   unlockedModules(children(c.layout.Modules()), l.Modules, c.options.Now()),
	}
	var all []cluster.DiskUse
	for _, kind := range []cluster.DiskKind{cluster.DiskDownloads, cluster.DiskPrograms, cluster.DiskItems, cluster.DiskModules} {
		for _, f := range removed[kind] {
			if dry {
				break
			}
			if err := os.RemoveAll(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("remove %s: %w", kind, err)
			}
		}
		u := total(kind, removed[kind])
		for _, f := range removed[kind] {
			u.Files = append(u.Files, cluster.DiskFile{Path: c.shown(f.path), Bytes: f.bytes})
		}
		all = append(all, u)
	}
	return all, nil
}

// shown returns a path relative to the workspace directory.
func (c *Cluster) shown(path string) string {
	if rel, err := filepath.Rel(c.dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// excessDownloads returns the downloads that exceed the limits, least recently
// used first.
func excessDownloads(files []keptFile, l cluster.DiskLimits) []keptFile {
	slices.SortFunc(files, func(a, b keptFile) int { return a.used.Compare(b.used) })
	remaining := total("", files).Bytes
	var excess []keptFile
	for _, f := range files {
		if f.used.Before(l.Before) || l.DownloadBytes > 0 && remaining > l.DownloadBytes {
			excess = append(excess, f)
			remaining -= f.bytes
		}
	}
	return excess
}

// unlockedItems returns the items that are not locked, or nil if stay is nil.
// The keys of stay are the hashes of all locked items.
func unlockedItems(files []keptFile, stay map[string]bool) []keptFile {
	if stay == nil {
		return nil
	}
	return slices.DeleteFunc(files, func(f keptFile) bool {
		return stay["h1:"+strings.TrimSuffix(filepath.Base(f.path), ".yaml")]
	})
}

// unfinishedTime is the age after which an unfinished module fetch is treated
// as abandoned.
const unfinishedTime = 24 * time.Hour

// unlockedModules returns the modules that are not locked and the abandoned
// fetches, or nil if stay is nil. The keys of stay are the hashes of all
// locked modules.
func unlockedModules(dirs []keptFile, stay map[string]bool, now time.Time) []keptFile {
	if stay == nil {
		return nil
	}
	names := map[string]bool{}
	for hash := range stay {
		names[module.Name(hash)] = true
	}
	return slices.DeleteFunc(dirs, func(f keptFile) bool {
		name := filepath.Base(f.path)
		return names[name] || strings.HasPrefix(name, ".") && f.used.After(now.Add(-unfinishedTime))
	})
}
