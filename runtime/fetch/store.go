// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Directories of a cache.
const (
	objectsDir = "objects" // complete files, named by SHA-256
	partialDir = "partial" // active or interrupted downloads
	entriesDir = "entries" // records of URLs without a declared digest
)

// store is a cache directory. The package does not trust the content of this
// directory. On each use of an object, it compares the content with the hash
// in the object's name.
type store struct {
	dir   string
	bound int64
	now   func() time.Time
}

// cacheError is the error that openStore and store return if the cache cannot
// be used.
type cacheError struct{ error }

func (e cacheError) Error() string { return "the cache cannot be used: " + e.error.Error() }
func (e cacheError) Unwrap() error { return e.error }

// openStore creates the cache directories. Every error is a cacheError.
func openStore(dir string, bound int64, now func() time.Time) (*store, error) {
	for _, sub := range []string{objectsDir, partialDir, entriesDir} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, cacheError{err}
		}
	}
	return &store{dir: dir, bound: bound, now: now}, nil
}

func (s *store) partial(key string) string { return filepath.Join(s.dir, partialDir, key) }

// openPartial opens the partial file for a key, and marks failures as cache
// errors.
func (s *store) openPartial(ctx context.Context, key string, waiting func()) (*partial, error) {
	p, err := openPartial(ctx, s.partial(key), waiting)
	if err != nil && ctx.Err() == nil {
		return nil, cacheError{err}
	}
	return p, err
}

// object is a complete file in the cache.
type object struct {
	store *store
	sum   string
}

func (o *object) name() string { return filepath.Join(o.store.dir, objectsDir, o.sum) }

func (o *object) remove() { _ = os.Remove(o.name()) }

// Cached returns the size, in bytes, of the cached content for an address. With a
// digest, Cached looks for the object that has the digest. Without a digest,
// Cached looks for the content from the last request. Cached sets ok to false if
// a fetch would download the content again. This is the case if there is no
// object, or if a fetch cannot ask the server whether the content has changed.
// Cached does not read the object. Callers that use the content must compare it
// with the digest.
func Cached(dir, address, sha256 string) (size int64, ok bool) {
	sum := strings.ToLower(sha256)
	s := &store{dir: dir}
	usable := true
	if sum == "" {
		seen := s.lookup(cacheKey(address))
		if seen == nil {
			return 0, false
		}
		sum, usable = seen.Sum, seen.hasValidator()
	}
	if !digest.MatchString(sum) {
		return 0, false
	}
	info, err := os.Lstat((&object{s, sum}).name())
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), usable
}

// open opens an object, or returns nil if the store does not contain the object.
// It records the use in the object's modification time. The open file remains
// readable after eviction.
func (s *store) open(sum string) (*content, error) {
	o := &object{s, sum}
	f, err := os.Open(o.name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cacheError{err}
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, cacheError{errors.Join(err, fmt.Errorf("%s is not a file", o.name()))}
	}
	now := s.now()
	_ = os.Chtimes(o.name(), now, now) // if a different user owns the file, this call fails, and evict removes the object too early
	return &content{file: f, sum: sum, cached: o}, nil
}

// publish converts a complete partial file to an object.
func (s *store) publish(p *partial) (*content, error) {
	o := &object{s, p.sum()}
	if err := p.file.Chmod(0o444); err != nil {
		return nil, cacheError{err}
	}
	f, err := os.Open(p.file.Name())
	if err != nil {
		return nil, cacheError{err}
	}
	p.complete()
	if err := os.Rename(p.file.Name(), o.name()); err != nil {
		_ = f.Close()
		return nil, cacheError{err}
	}
	now := s.now()
	_ = os.Chtimes(o.name(), now, now)
	p.close()
	s.evict(o.sum)
	return &content{file: f, sum: o.sum, verified: true, cached: o}, nil
}

// origin describes the content that a URL returned most recently.
type origin struct {
	Sum          string `json:"sha256"`
	Commit       string `json:"commit,omitempty"` // of a git repository
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	// Date is the time of the response, according to the server's clock.
	Date string `json:"date,omitempty"`
	// At is the time at which a process wrote the record, according to that
	// process's clock. The modification time of the file can be one kernel
	// tick too early.
	At time.Time `json:"at"`
}

func (s *store) entryName(key string) string {
	return filepath.Join(s.dir, entriesDir, key+stateSuffix)
}

// lookup returns the recorded origin for a URL, or nil.
func (s *store) lookup(key string) *origin {
	var e origin
	text, err := os.ReadFile(s.entryName(key))
	if err != nil || json.Unmarshal(text, &e) != nil || !digest.MatchString(e.Sum) {
		return nil
	}
	return &e
}

// record stores the origin of a URL's current content. The caller must hold the
// lock for the key.
func (s *store) record(key string, e origin) error {
	e.At = s.now()
	text, err := json.Marshal(e)
	if err != nil {
		panic("fetch: " + err.Error())
	}
	name := s.entryName(key)
	if err := os.WriteFile(name+".tmp", text, 0o644); err != nil {
		return cacheError{err}
	}
	if err := os.Rename(name+".tmp", name); err != nil {
		return cacheError{err}
	}
	return nil
}
