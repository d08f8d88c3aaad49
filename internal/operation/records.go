// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// recordDirectory is the directory in the repository that openpai.run_records sets.
// It contains ADDRESS/NUMBER-UID.json. Commits from other machines can also change
// it, so its content is untrusted.
type recordDirectory struct {
	root string // workspace directory
	name string // relative to root, or "" if the workspace does not keep records
}

func (o *Operation) records() recordDirectory {
	ws := o.options.Workspace
	return recordDirectory{ws.Dir, ws.RunRecords}
}

// maxRecordFile is the maximum number of bytes read from a record file.
const maxRecordFile = 4 << 20

var (
	notInDirectory = regexp.MustCompile(`[^A-Za-z0-9._-]`)
	recordFile     = regexp.MustCompile(`^([1-9][0-9]{0,8})-([0-9a-z]{0,8})\.json$`)
)

// directoryOf returns a directory name that is valid on all file systems.
func directoryOf(a hclspec.Address) string {
	return notInDirectory.ReplaceAllStringFunc(string(a), func(s string) string {
		text := ""
		for _, b := range []byte(s) {
			text += fmt.Sprintf("%%%02X", b)
		}
		return text
	})
}

// addressOfDirectory is the inverse of directoryOf. It returns "" for other
// names.
func addressOfDirectory(name string) hclspec.Address {
	text, err := url.PathUnescape(name)
	if a := hclspec.Address(text); err == nil && directoryOf(a) == name {
		return a
	}
	return ""
}

// path returns the path of the record directory, or of an entry in this
// directory. It rejects symbolic links, which could lead out of the
// workspace.
func (d recordDirectory) path(below ...string) (string, error) {
	path := filepath.Join(append([]string{d.root, filepath.FromSlash(d.name)}, below...)...)
	for at := path; len(at) > len(d.root); at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", &os.PathError{Op: "open", Path: at, Err: errors.New("it is a symbolic link")}
		}
	}
	return path, nil
}

func (d recordDirectory) file(r *history.Run) (string, error) {
	return d.path(directoryOf(r.Address), fileOf(r))
}

func fileOf(r *history.Run) string {
	return fmt.Sprintf("%d-%s.json", r.Number, history.ShortUID(r.UID))
}

// write writes the record of a run without its logs. Users commit records.
// Therefore, write does not change a file if only the time of the last read
// differs.
func (d recordDirectory) write(r *history.Run) error {
	if d.name == "" {
		return nil
	}
	file, err := d.file(r)
	if err != nil {
		return fmt.Errorf("write the record of %s: %w", r.Reference(), err)
	}
	published := *r
	published.Logs = nil
	if have, err := d.read(directoryOf(r.Address), fileOf(r)); err == nil && have.Finished() && r.Finished() {
		outcome := *r.Outcome
		outcome.Seen = have.Outcome.Seen
		published.Outcome = &outcome
	}
	text := published.Encode()
	if have, err := os.ReadFile(file); err == nil && bytes.Equal(have, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write the record of %s: %w", r.Reference(), err)
	}
	return atomicfile.Write(file, text, 0o644)
}

// remove deletes the record of a run, and the directory of the job if it is
// empty.
func (d recordDirectory) remove(r *history.Run) error {
	if d.name == "" {
		return nil
	}
	return d.removeFile(directoryOf(r.Address), fileOf(r))
}

// removeFile deletes a file of a job, and the directory of the job if it is
// empty.
func (d recordDirectory) removeFile(job, name string) error {
	file, err := d.path(job, name)
	if err == nil {
		err = os.Remove(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_ = os.Remove(filepath.Dir(file))
	}
	return err
}

// highest returns the highest recorded run number of an address, or 0.
func (d recordDirectory) highest(a hclspec.Address) int {
	if d.name == "" {
		return 0
	}
	n := 0
	for _, name := range d.list(directoryOf(a)) {
		if m := recordFile.FindStringSubmatch(name); m != nil {
			number, _ := strconv.Atoi(m[1])
			n = max(n, number)
		}
	}
	return n
}

// list returns the sorted names in a directory. If the directory cannot be
// read completely, list returns only the names that were read.
func (d recordDirectory) list(below ...string) []string {
	path, err := d.path(below...)
	if err != nil {
		return nil
	}
	entries, _ := os.ReadDir(path)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names
}

// runs reads all records. The error joins the failures of unreadable records.
func (d recordDirectory) runs() ([]*history.Run, error) {
	if d.name == "" {
		return nil, nil
	}
	if _, err := d.path(); err != nil {
		return nil, fmt.Errorf("read the run records: %w", err)
	}
	var all []*history.Run
	var errs []error
	for _, job := range d.list() {
		for _, name := range d.list(job) {
			if !recordFile.MatchString(name) {
				continue
			}
			r, err := d.read(job, name)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			all = append(all, r)
		}
	}
	return all, errors.Join(errs...)
}

func (d recordDirectory) read(job, name string) (*history.Run, error) {
	file, err := d.path(job, name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxRecordFile {
		return nil, &history.FormatError{Name: file, Err: fmt.Errorf("it must be a regular file of at most %d bytes", maxRecordFile)}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := history.Decode(file, text)
	if err != nil {
		return nil, err
	}
	if want, err := d.file(r); err != nil || want != file {
		return nil, &history.FormatError{Name: file, Version: r.Version, Err: fmt.Errorf("it is the record of %s, UID %s; rename the file to %s", r.Reference(), r.UID, filepath.Base(want))}
	}
	r.Logs = nil
	return r, nil
}

func (o *Operation) publish(r *history.Run) error { return o.records().write(r) }

func (o *Operation) unpublish(r *history.Run) { _ = o.records().remove(r) }
