// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheCacheSavesDownloads(t *testing.T) {
	t.Parallel()
	sum := sumOfBody(t, size)
	for name, c := range map[string]struct {
		noSum    bool
		between  func(t *testing.T, cache string, s *server)
		requests []string
	}{
		"a declared digest needs no second request":    {requests: []string{"GET /"}},
		"without a digest, each fetch sends a request": {noSum: true, requests: []string{"GET /", "GET /"}},
		"a damaged object is downloaded again": {
			between: func(t *testing.T, cache string, _ *server) {
				write(t, replaced(t, filepath.Join(cache, objectsDir, sum)), make([]byte, size))
			},
			requests: []string{"GET /", "GET /"},
		},
		"a damaged object is also detected without a digest": {
			noSum: true,
			between: func(t *testing.T, cache string, _ *server) {
				write(t, replaced(t, filepath.Join(cache, objectsDir, sum)), make([]byte, size))
			},
			requests: []string{"GET /", "GET /", "GET /"},
		},
		"a damaged record is ignored": {
			noSum: true,
			between: func(t *testing.T, cache string, _ *server) {
				for _, name := range fetched(t, filepath.Join(cache, entriesDir)) {
					write(t, filepath.Join(cache, entriesDir, name), []byte(`{"sha256":"../../x"}`))
				}
			},
			requests: []string{"GET /", "GET /"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, cache, dir := newServer(t, size, nil), t.TempDir(), t.TempDir()
			f := newFetcher(cache)
			for _, to := range []string{"a", "b"} {
				request := want(s.URL, filepath.Join(dir, to), sum)
				if c.noSum {
					request.SHA256 = ""
				}
				if err := f.Fetch(t.Context(), request); err != nil || !fileMatches(t.Context(), request.To, sum) {
					t.Errorf("%s: %v", to, err)
				}
				for _, declared := range []string{strings.ToUpper(sum), request.SHA256} {
					if n, ok := Cached(cache, s.URL, declared); !ok || n != size {
						t.Errorf("%s: the cache has %d bytes of the download: %t", to, n, ok)
					}
				}
				if n, ok := Cached(cache, s.URL+"/other", ""); ok {
					t.Errorf("the cache has %d bytes of another address", n)
				}
				if to == "a" && c.between != nil {
					c.between(t, cache, s)
				}
			}
			if diff := cmp.Diff(c.requests, s.asked()); diff != "" {
				t.Errorf("requests (-want +got)\n%s", diff)
			}
			if s.sentBytes() > 2*size {
				t.Errorf("%d bytes were sent", s.sentBytes())
			}
			if c.between == nil && s.sentBytes() != size {
				t.Errorf("%d bytes were sent for one file of %d", s.sentBytes(), size)
			}
		})
	}
}

// replaced removes a read-only file that the test will replace. It returns
// the file's name.
func replaced(t *testing.T, name string) string {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestWhatChangedAtTheServerIsSeenWithoutADigest(t *testing.T) {
	t.Parallel()
	s, f, to := newServer(t, 10, nil), newFetcher(t.TempDir()), filepath.Join(t.TempDir(), "f")
	for _, n := range []int64{10, 20, 20} {
		s.set(func() { s.size, s.etag = n, `"`+strings.Repeat("v", int(n))+`"` })
		if err := f.Fetch(t.Context(), want(s.URL, to, "")); err != nil || !fileMatches(t.Context(), to, sumOfBody(t, n)) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if s.sentBytes() != 30 {
		t.Errorf("%d bytes were sent", s.sentBytes())
	}
}

func TestAModificationDateIsAValidatorOneSecondLater(t *testing.T) {
	t.Parallel()
	const changed, later = "Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:01 GMT"
	for name, c := range map[string]struct {
		date string // of the first response
		sent int64  // total bytes sent for two 10-byte downloads
	}{
		"a response in the same second as the change": {changed, 20},
		"a response one second later":                 {later, 10},
		"a response before the change":                {"Sun, 31 Dec 2023 23:59:59 GMT", 20},
		"a response with an invalid date":             {"now", 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			date := c.date
			s := newServer(t, 10, func(n int, w http.ResponseWriter, r *http.Request) bool {
				w.Header().Set("Date", date)
				w.Header().Set("Last-Modified", changed)
				modified, _ := http.ParseTime(changed)
				http.ServeContent(w, r, "", modified, &body{size: 10})
				date = later
				return true
			})
			s.set(func() { s.etag = "" })
			f, to := newFetcher(t.TempDir()), filepath.Join(t.TempDir(), "f")
			for range 2 {
				if err := f.Fetch(t.Context(), want(s.URL, to, "")); err != nil {
					t.Fatal(err)
				}
			}
			if got := s.sentBytes(); got != c.sent {
				t.Errorf("the server sent %d bytes, not %d", got, c.sent)
			}
			if err := f.Fetch(t.Context(), want(s.URL, to, "")); err != nil || s.sentBytes() != c.sent {
				t.Errorf("after the second response, the server sent %d bytes, not %d: %v", s.sentBytes(), c.sent, err)
			}
		})
	}
}

// If an entry does not contain the response date, its validator may be weak.
func TestAnEntryWithoutADateIsDownloadedAgain(t *testing.T) {
	t.Parallel()
	s, cache, to := newServer(t, 10, nil), t.TempDir(), filepath.Join(t.TempDir(), "f")
	s.set(func() { s.etag = "" })
	f := newFetcher(cache)
	for range 2 {
		if err := f.Fetch(t.Context(), want(s.URL, to, "")); err != nil {
			t.Fatal(err)
		}
		for _, name := range fetched(t, filepath.Join(cache, entriesDir)) {
			write(t, filepath.Join(cache, entriesDir, name), []byte(`{"sha256":"`+sumOfBody(t, 10)+`","last_modified":"Mon, 01 Jan 2024 00:00:00 GMT"}`))
		}
		if n, ok := Cached(cache, s.URL, ""); ok || n != 10 {
			t.Errorf("the cache has %d bytes of the download, usable without another download: %t", n, ok)
		}
	}
}

// Cached reports a copy as usable only if the next fetch need not download the
// content.
func TestACopyWithoutAValidatorIsNotUsable(t *testing.T) {
	t.Parallel()
	for etag, usable := range map[string]bool{"": false, `"v1"`: true, `W/"v1"`: true} {
		s, cache := newServer(t, 10, nil), t.TempDir()
		s.set(func() { s.etag = etag })
		for range 2 {
			if err := newFetcher(cache).Fetch(t.Context(), want(s.URL, filepath.Join(t.TempDir(), "f"), "")); err != nil {
				t.Fatal(err)
			}
			if n, ok := Cached(cache, s.URL, ""); ok != usable || n != 10 {
				t.Errorf("ETag %s: %d bytes in the cache, usable without another download: %t", etag, n, ok)
			}
		}
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	t.Parallel()
	s, cache, now := newServer(t, 0, nil), t.TempDir(), time.Now()
	s.set(func() { s.etag = "" })
	f := newFetcher(cache)
	f.CacheBytes = 250
	f.Now = func() time.Time { now = now.Add(time.Minute); return now }
	fault := func(_ int, w http.ResponseWriter, r *http.Request) bool {
		_, _ = w.Write([]byte(strings.Repeat(r.URL.Path[1:], 100)))
		return true
	}
	s.set(func() { s.fault = fault })
	get := func(name string, n int) {
		t.Helper()
		sum := sumOfText(t, strings.Repeat(name, n))
		if err := f.Fetch(t.Context(), want(s.URL+"/"+name, filepath.Join(t.TempDir(), "f"), sum)); err != nil {
			t.Error(err)
		}
	}
	kept := func() (names []string) {
		for _, sum := range fetched(t, filepath.Join(cache, objectsDir)) {
			content, err := os.ReadFile(filepath.Join(cache, objectsDir, sum))
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, string(content[:1]))
		}
		slices.Sort(names)
		return names
	}
	write(t, filepath.Join(cache, partialDir, "given-up"), make([]byte, 10))
	write(t, filepath.Join(cache, partialDir, "given-up.json"), []byte("{}"))
	old := now.Add(-2 * partialLifetime)
	for _, name := range fetched(t, filepath.Join(cache, partialDir)) {
		if err := os.Chtimes(filepath.Join(cache, partialDir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b", "a", "c"} { // b is the least recently used object
		get(name, 100)
	}
	if diff := cmp.Diff([]string{"a", "c"}, kept()); diff != "" {
		t.Errorf("kept (-want +got)\n%s", diff)
	}
	if remaining := fetched(t, filepath.Join(cache, partialDir)); len(remaining) > 0 {
		t.Errorf("partial files: %v", remaining)
	}
	f.CacheBytes = 50 // smaller than one object: the newest object is kept, because other processes may wait for it
	get("d", 100)
	if diff := cmp.Diff([]string{"d"}, kept()); diff != "" {
		t.Errorf("kept (-want +got)\n%s", diff)
	}
}

func sumOfText(t *testing.T, text string) string {
	t.Helper()
	sum, err := checksum(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestArchivesComeFromTheCacheToo(t *testing.T) {
	t.Parallel()
	archive := tarOf(t, reg("f"))
	s, cache := newServer(t, 0, func(_ int, w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write(archive); return true }), t.TempDir()
	f, dir := newFetcher(cache), t.TempDir()
	sum := sumOfText(t, string(archive))
	for _, to := range []string{"a", "b", "c"} {
		request := want(s.URL+"/f.tar", filepath.Join(dir, to), sum)
		request.Extract = true
		if err := f.Fetch(t.Context(), request); err != nil {
			t.Error(err)
		}
		if content, err := os.ReadFile(filepath.Join(dir, to, "f")); err != nil || string(content) != "content of f" {
			t.Errorf("%s: %q, %v", to, content, err)
		}
		if to == "b" {
			write(t, replaced(t, filepath.Join(cache, objectsDir, sum)), []byte("damaged"))
		}
	}
	if got := s.asked(); len(got) != 2 {
		t.Errorf("requests %q", got)
	}
}

func TestACacheThatCannotBeUsedIsDoneWithout(t *testing.T) {
	t.Parallel()
	sum := sumOfBody(t, size)
	for name, spoil := range map[string]func(t *testing.T, cache string){
		"it is a file": func(t *testing.T, cache string) { write(t, cache, nil) },
		"a directory has the name of the download": func(t *testing.T, cache string) {
			write(t, filepath.Join(cache, partialDir, sum, "x"), nil)
		},
		"a directory has the name of the object": func(t *testing.T, cache string) {
			write(t, filepath.Join(cache, objectsDir, sum, "x"), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache, to := filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "f")
			spoil(t, cache)
			f := newFetcher(cache)
			if err := f.Fetch(t.Context(), want(newServer(t, size, nil).URL, to, sum)); err != nil || !fileMatches(t.Context(), to, sum) {
				t.Errorf("error %v, logged %q", err, f.logged)
			}
			if len(f.logged) == 0 {
				t.Error("nothing was reported")
			}
		})
	}
}
