// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// partialLifetime is the age at which sweep removes an inactive download.
const partialLifetime = 7 * 24 * time.Hour

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// cachedObject is an object in the cache.
type cachedObject struct {
	name string
	size int64
	used time.Time
}

// evict removes abandoned downloads, and then the least recently used objects until
// the cache is within its limit. The object named except is never removed, because
// other processes may be waiting for it. A cache can therefore exceed its limit by
// one object. The next call to evict retries failed removals.
func (s *store) evict(except string) {
	s.sweep()
	objects, total := s.list()
	slices.SortFunc(objects, func(a, b cachedObject) int { return a.used.Compare(b.used) })
	for _, o := range objects {
		if total <= s.bound {
			return
		}
		if filepath.Base(o.name) == except {
			continue
		}
		if os.Remove(o.name) == nil {
			total -= o.size
		}
	}
}

func (s *store) list() (objects []cachedObject, total int64) {
	files, _ := os.ReadDir(filepath.Join(s.dir, objectsDir))
	for _, e := range files {
		info, err := e.Info()
		if err != nil || !digest.MatchString(e.Name()) {
			continue
		}
		objects = append(objects, cachedObject{filepath.Join(s.dir, objectsDir, e.Name()), info.Size(), info.ModTime()})
		total += info.Size()
	}
	return objects, total
}

// sweep removes old partial files and old URL records. It locks a partial file
// before the removal.
func (s *store) sweep() {
	limit := s.now().Add(-partialLifetime)
	for _, sub := range []string{partialDir, entriesDir} {
		files, _ := os.ReadDir(filepath.Join(s.dir, sub))
		for _, e := range files {
			info, err := e.Info()
			if err != nil || info.ModTime().After(limit) {
				continue
			}
			name := filepath.Join(s.dir, sub, e.Name())
			if sub == entriesDir || strings.HasSuffix(name, stateSuffix) && !exists(strings.TrimSuffix(name, stateSuffix)) {
				_ = os.Remove(name)
			} else if !strings.HasSuffix(name, stateSuffix) {
				removeUnlocked(name)
			}
		}
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	if locked, err := tryLock(f); err == nil && locked {
		_ = os.Remove(name)
		_ = os.Remove(name + stateSuffix)
	}
}
