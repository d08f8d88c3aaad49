package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// object is a Framework in the store, with what belongs to it. Metadata and
// spec are written by commands, under the object's lock; the status by the
// one supervisor. So neither overwrites the other.
type object struct {
	dir  string
	name string
}

// observed is the file of a status. A status counts only for the Framework
// with that UID.
type observed struct {
	UID    string            `json:"uid"`
	Notes  []string          `json:"notes,omitempty"`
	Status *framework.Status `json:"status"`
}

func (o object) join(name string) string { return filepath.Join(o.dir, name) }

func (o object) specFile() string       { return o.join("framework.json") }
func (o object) statusFile() string     { return o.join("status.json") }
func (o object) bindingFile() string    { return o.join("binding.json") }
func (o object) editLock() string       { return o.join("edit.lock") }
func (o object) supervisorLock() string { return o.join("supervisor.lock") }
func (o object) supervisorFile() string { return o.join("supervisor.json") }
func (o object) supervisorLog() string  { return o.join("supervisor.log") }

func (o object) configMapFile(name string) string { return o.join("configmap-" + name + ".json") }

// load reads the Framework with its status and the notes of its supervisors.
// The error wraps cluster.ErrNotFound when there is no Framework.
func (o object) load() (*framework.Framework, []string, error) {
	fw, err := o.loadSpec()
	if err != nil {
		return nil, nil, err
	}
	var seen observed
	if err := readJSON(o.statusFile(), &seen); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("status of Framework %s: %w", o.name, err)
	}
	if seen.UID == fw.Metadata.UID {
		fw.Status = seen.Status
		return fw, seen.Notes, nil
	}
	return fw, nil, nil
}

func (o object) loadSpec() (*framework.Framework, error) {
	var fw framework.Framework
	err := readJSON(o.specFile(), &fw)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("find the Framework %s: %w", o.name, cluster.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("read the Framework %s: %w", o.name, err)
	}
	o.readRequests(&fw)
	return &fw, nil
}

// saveSpec writes metadata and spec.
func (o object) saveSpec(fw *framework.Framework) error {
	stripped := *fw
	stripped.Status = nil
	return writeJSON(o.specFile(), &stripped)
}

// edit changes metadata and spec of an existing Framework.
func (o object) edit(change func(*framework.Framework)) error {
	lock, err := lockFile(o.editLock(), true)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("find the Framework %s: %w", o.name, cluster.ErrNotFound)
	}
	if err != nil {
		return err
	}
	defer lock.release()
	fw, err := o.loadSpec()
	if err != nil {
		return err
	}
	change(fw)
	return o.saveSpec(fw)
}

// objects returns every Framework of the store, sorted by name.
func (l layout) objects() ([]object, error) {
	entries, err := os.ReadDir(l.frameworks())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list Frameworks: %w", err)
	}
	var all []object
	for _, e := range entries {
		if e.IsDir() && frameworkName.MatchString(e.Name()) {
			all = append(all, l.object(e.Name()))
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all, nil
}
