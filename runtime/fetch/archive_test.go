// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func tarOf(t testing.TB, headers ...*tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		content := []byte("content of " + h.Name)
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(content))
		}
		if h.Mode == 0 && h.Typeflag != tar.TypeXGlobalHeader {
			h.Mode = 0o644
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write(content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cutZeros returns a tar archive truncated after a file of zeros. A reader must
// not interpret these zeros as the end mark.
func cutZeros(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "f", Typeflag: tar.TypeReg, Mode: 0o644, Size: 1024}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 1024)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zipOf returns a ZIP archive. The comment in each header is the content of
// the file.
func zipOf(t testing.TB, headers ...*zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range headers {
		content := h.Comment
		h.Comment = ""
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func packed(t testing.TB, content []byte, kind string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if kind == "zst" {
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	_, err := w.Write(content)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bzip2Tar is a base64-encoded tar archive, compressed with bzip2 -9, that
// contains the file f with the content "bz\n". It is a constant because the
// standard library cannot write bzip2.
const bzip2Tar = "QlpoOTFBWSZTWYHiiN4AAHj7kMmQAEDAAG8AAADxAJ4QBAAACCAAVDKjEyY1NGmEegipNAAyBoFD7nKyKIX2qKTr" +
	"lAlTPC5BID7UE4onEe9gWCo8mjPeDVbUHwyiK0L+sySBoXckU4UJCB4ojeA="

func bzip2OfTar(t testing.TB) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(bzip2Tar)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func reg(name string) *tar.Header { return &tar.Header{Name: name, Typeflag: tar.TypeReg} }
func link(name, to string) *tar.Header {
	return &tar.Header{Name: name, Linkname: to, Typeflag: tar.TypeSymlink}
}
func hard(name, to string) *tar.Header {
	return &tar.Header{Name: name, Linkname: to, Typeflag: tar.TypeLink}
}

func zipped(name, content string) *zip.FileHeader {
	return &zip.FileHeader{Name: name, Comment: content, Method: zip.Deflate}
}

func zipLink(name, to string) *zip.FileHeader {
	h := &zip.FileHeader{Name: name, Comment: to}
	h.SetMode(os.ModeSymlink | 0o777)
	return h
}

func TestAnArchiveIsUnpackedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	release := tarOf(t, &tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "c"}},
		&tar.Header{Name: "set-1.0/", Typeflag: tar.TypeDir, Mode: 0o755}, reg("set-1.0/a"), reg("set-1.0/b/c"), link("set-1.0/l", "b/c"), hard("set-1.0/h", "set-1.0/a"),
		&tar.Header{Name: "set-1.0/run.sh", Typeflag: tar.TypeReg, Mode: 0o4777})
	encrypted := zipOf(t, zipped("f", "x"))
	encrypted[6] |= 1 // the encryption flag in the file header
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	for name, c := range map[string]struct {
		archive []byte
		called  string // the file name
		strip   int
		want    map[string]string
		why     string
	}{
		"tar":                                {archive: release, want: map[string]string{"set-1.0/a": "content of set-1.0/a", "set-1.0/b/c": "content of set-1.0/b/c", "set-1.0/l": "content of set-1.0/b/c", "set-1.0/h": "content of set-1.0/a", "set-1.0/run.sh": "content of set-1.0/run.sh"}},
		"tar.gz without its first directory": {archive: packed(t, release, "gz"), strip: 1, want: map[string]string{"a": "content of set-1.0/a", "b/c": "content of set-1.0/b/c", "l": "content of set-1.0/b/c", "h": "content of set-1.0/a", "run.sh": "content of set-1.0/run.sh"}},
		"tar.zst":                            {archive: packed(t, tarOf(t, reg("a")), "zst"), want: map[string]string{"a": "content of a"}},
		"zip":                                {archive: zipOf(t, zipped("d/", ""), zipped("d/a", "A"), zipLink("d/l", "a")), want: map[string]string{"d/a": "A", "d/l": "A"}},
		"tar.bz2":                            {archive: bzip2OfTar(t), want: map[string]string{"f": "bz\n"}},
		"an empty tar":                       {archive: tarOf(t), want: map[string]string{}},
		"one compressed file":                {archive: packed(t, []byte("images"), "gz"), called: "train-images.gz", want: map[string]string{"train-images": "images"}},
		"two entries with the same name":     {archive: tarOf(t, reg("f"), reg("f")), want: map[string]string{"f": "content of f"}},
		"a file that replaces a link":        {archive: tarOf(t, reg("f"), link("l", "f"), reg("l")), want: map[string]string{"f": "content of f", "l": "content of l"}},
		"a link to a missing file":           {archive: tarOf(t, reg("f"), link("l", "later")), want: map[string]string{"f": "content of f"}},
		"an absolute name":                   {archive: tarOf(t, reg("/etc/evil")), why: `"/etc/evil" would be outside the directory`},
		"a name with dots":                   {archive: tarOf(t, reg("a/../../evil")), why: "would be outside"},
		"a zip with an absolute name":        {archive: zipOf(t, zipped("/evil", "")), why: "would be outside"},
		"a zip with dots":                    {archive: zipOf(t, zipped("../evil", "")), why: "would be outside"},
		"an absolute link":                   {archive: tarOf(t, link("l", "/etc")), why: `the link "l" leads out of the directory, to "/etc"`},
		"a link with dots":                   {archive: tarOf(t, link("d/l", "../../x")), why: "leads out"},
		"a zip with a link to the outside":   {archive: zipOf(t, zipLink("l", "../x")), why: "leads out"},
		"a link that leads out through another link": {archive: tarOf(t, link("a/b", ".."), link("l", "a/b/../x")), why: ""},
		"a link with .. through another link":        {archive: tarOf(t, &tar.Header{Name: "x/", Typeflag: tar.TypeDir, Mode: 0o755}, link("x/y", ".."), link("l", "x/y/../..")), why: "leads out"},
		"a file through a link that climbs":          {archive: tarOf(t, link("x/y", ".."), link("x/z", "y/.."), reg("x/z/evil")), why: `"x/z" cannot be created`},
		"a hard link out":                            {archive: tarOf(t, hard("h", "../x")), why: "leads out"},
		"a hard link to a link":                      {archive: tarOf(t, link("l", "x"), hard("h", "l")), why: "which is not an earlier file in the archive"},
		"a cycle of links":                           {archive: tarOf(t, link("a", "b"), link("b", "a")), why: "is part of a cycle"},
		"a device":                                   {archive: tarOf(t, &tar.Header{Name: "dev", Typeflag: tar.TypeChar}), why: "neither a file"},
		"a pipe":                                     {archive: tarOf(t, &tar.Header{Name: "fifo", Typeflag: tar.TypeFifo}), why: "neither a file"},
		"a file below a file":                        {archive: tarOf(t, reg("f"), reg("f/g")), why: `"f" cannot be created`},
		"a name of 5000 bytes":                       {archive: tarOf(t, reg(strings.Repeat("a/", 2500)+"a")), why: "would be outside"},
		"no archive":                                 {archive: []byte("plain text"), why: "it is not an archive; omit extract to fetch it unchanged"},
		"nothing":                                    {archive: nil, why: "it is not an archive"},
		"half of a tar.gz":                           {archive: packed(t, release, "gz")[:100], why: "it is damaged: "},
		"half of a tar":                              {archive: tarOf(t, reg("f"))[:515], why: "it is damaged: "},
		"a tar without its end mark":                 {archive: tarOf(t, reg("f"))[:1024], why: "it is damaged: the end mark of the tar archive is missing; the file is truncated"},
		"a tar of zeros without its end mark":        {archive: cutZeros(t), why: "the end mark of the tar archive is missing"},
		"a tar that ends after a long name":          {archive: tarOf(t, reg(strings.Repeat("n", 300)))[:1024], why: "it is damaged: "},
		"a tar with one block of its end mark":       {archive: tarOf(t, reg("f"))[:1024+512], want: map[string]string{"f": "content of f"}},
		"half of a zip":                              {archive: zipOf(t, zipped("a", "A"))[:40], why: "it is damaged: "},
		"an invalid byte after the archive":          {archive: flipped(packed(t, release, "gz"), -8), why: "it is damaged: gzip: invalid checksum"},
		"xz":                                         {archive: []byte("\xfd7zXZ\x00\x00\x04"), why: "it is a xz file, which this runtime cannot read"},
		"7-Zip":                                      {archive: []byte("7z\xbc\xaf\x27\x1c\x00\x04"), why: "it is a 7-Zip file"},
		"an encrypted zip":                           {archive: encrypted, why: `"f" is encrypted; unpack it in a callback, with the password in a secret`},
		"a bomb of zeros":                            {archive: packed(t, tarBomb(t, 2<<20), "gz"), why: "its contents are more than 20 times the size of the archive"},
		"a bomb of one file":                         {archive: packed(t, make([]byte, 2<<20), "zst"), why: "more than 20 times"},
		"a bomb after the archive":                   {archive: packed(t, append(tarOf(t), make([]byte, 2<<20)...), "gz"), why: "more than 20 times"},
		"a zip bomb":                                 {archive: zipOf(t, zipped("z", strings.Repeat("0", 2<<20))), why: "more than 20 times"},
		"too many entries":                           {archive: packed(t, tarOf(t, many(101)...), "gz"), why: "it contains more than 100 entries"},
		"a window of zstd that needs much memory":    {archive: []byte("\x28\xb5\x2f\xfd\x00\xff\x00\x00\x00\x00"), why: "it is damaged: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			source := filepath.Join(dir, "source", "archive")
			if c.called != "" {
				source = filepath.Join(dir, "source", c.called)
			}
			write(t, source, c.archive)
			f := newFetcher("")
			f.Limits = Limits{Entries: 100, Ratio: 20, RatioFrom: 1 << 20}
			to := filepath.Join(dir, "place", "out")
			err := f.Fetch(t.Context(), runspec.Fetch{URL: source, To: to, Extract: true, Strip: c.strip})
			if c.why == "" && err != nil && c.want != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
				t.Errorf("error %v, want %q", err, c.why)
			}
			if err != nil {
				if remaining := fetched(t, filepath.Join(dir, "place")); len(remaining) > 0 {
					t.Errorf("left behind: %v", remaining)
				}
				return
			}
			if c.want == nil {
				return
			}
			got := map[string]string{}
			for _, name := range fetched(t, to) {
				if content, err := os.ReadFile(filepath.Join(to, name)); err == nil {
					got[name] = string(content)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if info, err := os.Stat(filepath.Join(to, "run.sh")); err == nil && info.Mode() != 0o755 {
				t.Errorf("mode %v", info.Mode())
			}
		})
	}
}

func write(t testing.TB, name string, content []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func flipped(b []byte, at int) []byte {
	b[(at+len(b))%len(b)] ^= 1
	return b
}

func many(n int) []*tar.Header {
	var all []*tar.Header
	for i := range n {
		all = append(all, reg(strings.Repeat("x", i+1)))
	}
	return all
}

func tarBomb(t testing.TB, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "zeros", Typeflag: tar.TypeReg, Size: n, Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnpackingMergesWithExistingFiles(t *testing.T) {
	t.Parallel()
	archive := tarOf(t, reg("d/new"), reg("d/both"), reg("e/f"))
	for name, c := range map[string]struct {
		before map[string]string
		why    string
		want   map[string]string
	}{
		"files of the archive are replaced, other files remain": {
			map[string]string{"d/both": "old", "d/mine": "mine"}, "",
			map[string]string{"d/both": "content of d/both", "d/mine": "mine", "d/new": "content of d/new", "e/f": "content of e/f"},
		},
		"a file in the way of a directory": {map[string]string{"d/both": "old", "e": "a file"}, `conflicts with "e" in the archive`, map[string]string{"d/both": "old", "e": "a file"}},
		"a directory in the way of a file": {map[string]string{"d/both": "old", "d/new/x": "x"}, `conflicts with "d/new"`, map[string]string{"d/both": "old", "d/new/x": "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			source, to := filepath.Join(dir, "archive"), filepath.Join(dir, "to")
			write(t, source, archive)
			for name, content := range c.before {
				write(t, filepath.Join(to, name), []byte(content))
			}
			err := newFetcher("").Fetch(t.Context(), runspec.Fetch{URL: source, To: to, Extract: true})
			if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
				t.Errorf("error %v", err)
			}
			got := map[string]string{}
			for _, name := range fetched(t, to) {
				content, err := os.ReadFile(filepath.Join(to, name))
				if err != nil {
					t.Fatal(err)
				}
				got[name] = string(content)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestUnpackingDoesNotFollowLinksOutOfTheTarget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source, to := filepath.Join(dir, "archive"), filepath.Join(dir, "to")
	write(t, source, tarOf(t, reg("l/f")))
	write(t, filepath.Join(dir, "outside", "f"), []byte("mine"))
	write(t, filepath.Join(to, "x"), nil)
	if err := os.Symlink(filepath.Join(dir, "outside"), filepath.Join(to, "l")); err != nil {
		t.Fatal(err)
	}
	err := newFetcher("").Fetch(t.Context(), runspec.Fetch{URL: source, To: to, Extract: true})
	if err == nil || !strings.Contains(err.Error(), "conflicts with") {
		t.Errorf("error %v", err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, "outside", "f")); err != nil || string(content) != "mine" {
		t.Errorf("outside: %q, %v", content, err)
	}
}

// FuzzUnpack checks three properties for any archive: no file is written outside
// the directory, no link in the directory leads outside, and no file remains after
// an error.
func FuzzUnpack(f *testing.F) {
	for _, b := range [][]byte{
		tarOf(f, reg("a"), link("l", "a"), hard("h", "a")), packed(f, tarOf(f, reg("x/../../a")), "gz"), packed(f, tarOf(f, reg("a")), "zst"),
		zipOf(f, zipped("a/b", "x"), zipLink("l", "a")), tarOf(f, link("x/y", ".."), link("l", "x/y/../..")), []byte("BZh9"),
	} {
		f.Add(b, 0)
		f.Add(b, 1)
	}
	f.Fuzz(func(t *testing.T, archive []byte, strip int) {
		dir := t.TempDir()
		source, place := filepath.Join(dir, "archive"), filepath.Join(dir, "place")
		write(t, source, archive)
		fetcher := newFetcher("")
		fetcher.Limits = Limits{Entries: 50, Ratio: 20, RatioFrom: 1 << 16}
		err := fetcher.Fetch(t.Context(), runspec.Fetch{URL: source, To: filepath.Join(place, "out"), Extract: true, Strip: min(max(strip, 0), 3)})
		all, readErr := os.ReadDir(place)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if err != nil && len(all) > 0 || err == nil && (len(all) != 1 || all[0].Name() != "out") {
			t.Fatalf("error %v, left %v", err, all)
		}
		resolved, evalErr := filepath.EvalSymlinks(dir)
		if evalErr != nil {
			t.Fatal(evalErr)
		}
		for _, name := range fetched(t, place) {
			if to, err := filepath.EvalSymlinks(filepath.Join(place, name)); err == nil && !strings.HasPrefix(to, filepath.Join(resolved, "place", "out")) {
				t.Fatalf("%s leads to %s", name, to)
			}
		}
	})
}
