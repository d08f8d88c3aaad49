// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Fetcher performs downloads. Its fields must not change after the first use.
type Fetcher struct {
	// Dir is the base directory for relative paths. If Dir is "", Fetch rejects
	// relative paths.
	Dir string
	// Cache is a directory that other processes may share. "" disables the cache.
	// CacheBytes is the maximum size of the cache. 0 means [DefaultCacheBytes].
	Cache      string
	CacheBytes int64
	// Git runs a shell script that calls git. environ contains additional
	// environment variables. It returns a [GitError] if the script fails. If
	// Git is nil, Fetch rejects git addresses.
	Git func(ctx context.Context, script string, environ map[string]string) error
	// Log receives a sentence about each delay: a failed attempt, or a wait
	// for another task. The sentence may contain parts of the URL.
	Log func(sentence string)
	// Progress receives the current and the total size of the download each time
	// data arrives. The total size is -1 if it is unknown. It may be nil.
	Progress func(bytes, total int64)
	// Waiting receives the reason why the download waits. After a failed attempt,
	// the parameter reason is the error, and next is the time of the next
	// attempt. When the next attempt starts, Fetch passes the same error again
	// with a zero time. If another task downloads the same file, the reason
	// describes the wait for that task. When this wait ends, Fetch passes an
	// empty reason. Errors do not contain the URL, except in messages from git.
	// Waiting may be nil.
	Waiting func(reason string, next time.Time)
	// Fetched receives the identity of the data at the destination when the
	// data is complete. Fetched may be nil.
	Fetched func(Result)
	// Limits restricts the contents of archives. Zero fields default to the
	// values in [DefaultLimits].
	Limits Limits
	// Silence is the maximum time without data from a server. 0 means a minute.
	Silence time.Duration
	// Sleep waits for the duration d, or until the context ends. nil means real
	// time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Now returns the current time. nil means the system clock.
	Now func() time.Time

	once   sync.Once
	client *http.Client
}

// Result identifies fetched data.
type Result struct {
	// SHA256 is the digest of a file, or of an archive before it is unpacked. For a
	// directory from git, SHA256 is "" and Commit is set.
	SHA256, Commit string
	// Bytes is the size of the file or archive. For a directory from git, it is
	// the size of the tar archive that git creates.
	Bytes int64
}

// DefaultCacheBytes is the default size limit of a cache: 32 GiB.
const DefaultCacheBytes int64 = 32 << 30

// errCorrupt means that the content of a cached file does not match the digest in
// its name.
var errCorrupt = errors.New("the copy in the cache is damaged")

// Fetch downloads the requested data to its destination, an absolute path. Strings
// in the request must already be rendered. The error is one sentence that contains
// the address without credentials, the problem, and the fix. If ctx has ended, the
// error wraps the cause of ctx.
func (f *Fetcher) Fetch(ctx context.Context, want runspec.Fetch) error {
	f.once.Do(f.prepare)
	err := f.fetch(ctx, want)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", locator.Show(want.URL), err)
	}
	return nil
}

func (f *Fetcher) prepare() {
	f.Silence = cmp.Or(f.Silence, time.Minute)
	if f.Now == nil {
		f.Now = time.Now
	}
	if f.Sleep == nil {
		f.Sleep = sleep
	}
	if f.Log == nil {
		f.Log = func(string) {}
	}
	if f.Progress == nil {
		f.Progress = func(int64, int64) {}
	}
	if f.Waiting == nil {
		f.Waiting = func(string, time.Time) {}
	}
	if f.Fetched == nil {
		f.Fetched = func(Result) {}
	}
	f.CacheBytes = cmp.Or(f.CacheBytes, DefaultCacheBytes)
	f.Limits = f.Limits.orDefault()
	f.client = newClient(f.Silence)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (f *Fetcher) fetch(ctx context.Context, want runspec.Fetch) error {
	a, err := f.locate(want.URL)
	if err != nil {
		return err
	}
	if a.Kind == locator.Git && want.Commit != "" {
		a.Ref = want.Commit
	}
	j := &job{Fetcher: f, cache: f.Cache, want: want, address: a, tree: want.Extract || a.Kind == locator.Git}
	if err := j.chooseTarget(); err != nil {
		return err
	}
	if !j.tree && want.SHA256 != "" && fileMatches(ctx, j.target, want.SHA256) {
		if info, err := os.Stat(j.target); err == nil {
			f.Fetched(Result{SHA256: strings.ToLower(want.SHA256), Bytes: info.Size()})
		}
		return nil
	}
	for tries := 1; ; tries++ {
		err := j.try(ctx)
		var unusable cacheError
		switch {
		case errors.As(err, &unusable) && j.cache != "":
			f.Log(locator.Show(want.URL) + ": " + err.Error() + "; it continues without")
			j.cache = ""
		case !errors.Is(err, errCorrupt):
			return err
		default:
			if tries > 1 {
				j.cache = "" // the cache cannot be repaired
			}
			f.Log(locator.Show(want.URL) + ": " + errCorrupt.Error() + " and is downloaded again")
		}
	}
}

func (f *Fetcher) locate(url string) (locator.Locator, error) {
	if f.Dir == "" {
		return locator.Parse(url)
	}
	return locator.ParseIn(f.Dir, url)
}

func (j *job) try(ctx context.Context) error {
	c, err := j.acquire(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if err := j.place(ctx, c); err != nil {
		return err
	}
	fetched := Result{SHA256: c.sum, Bytes: info.Size()}
	if j.address.Kind == locator.Git {
		fetched.SHA256, fetched.Commit = "", c.commit
	}
	j.Fetched(fetched)
	return nil
}

// job is one call to Fetch.
type job struct {
	*Fetcher
	want    runspec.Fetch
	cache   string
	address locator.Locator
	tree    bool   // set if the result is a directory
	target  string // file or directory
}

// chooseTarget sets the destination, and creates the directory in which Fetch
// prepares the data.
func (j *job) chooseTarget() error {
	j.target = filepath.Clean(j.want.To)
	info, err := os.Stat(j.target)
	isDir := err == nil && info.IsDir()
	switch {
	case j.tree && err == nil && !isDir:
		return fmt.Errorf("%s is a file; to fetch a directory, remove the file or choose another destination", j.target)
	case !j.tree && (isDir || strings.HasSuffix(j.want.To, "/")):
		j.target = filepath.Join(j.target, j.address.Name)
	}
	return os.MkdirAll(j.staging(), 0o755)
}

// staging returns a directory on the target's file system, so that a rename can
// move data into place. If the target is an existing directory, staging returns
// the target, because the target can be a mount point.
func (j *job) staging() string {
	if info, err := os.Stat(j.target); j.tree && err == nil && info.IsDir() {
		return j.target
	}
	return filepath.Dir(j.target)
}

func (j *job) acquire(ctx context.Context) (*content, error) {
	switch j.address.Kind {
	case locator.File:
		return j.openLocal()
	case locator.HTTP:
		return j.download(ctx)
	}
	return j.gitArchive(ctx)
}
