// SPDX-License-Identifier: MPL-2.0

package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Object is a Framework in the store, with all its files. Commands hold the object's
// lock while they write the metadata and the spec. Only the supervisor writes the
// status. Therefore, commands and the supervisor never overwrite each other's data.
type Object struct {
	Dir  string
	Name string
}

// ObservedStatus is the content of a status file. A status is valid only for the
// Framework with the UID in the file.
type ObservedStatus struct {
	UID    string            `json:"uid"`
	Notes  []string          `json:"notes,omitempty"`
	Status *framework.Status `json:"status"`
}

func (o Object) join(name string) string { return filepath.Join(o.Dir, name) }

// SpecFile returns the path of the file with the metadata and spec. The Framework
// exists as long as this file exists.
func (o Object) SpecFile() string { return o.join("framework.json") }

// StatusFile returns the path of the file with the ObservedStatus. Only the
// supervisor writes the file.
func (o Object) StatusFile() string { return o.join("status.json") }

// BindingFile returns the path of the Binding, which a command writes before it
// permits the Framework to start.
func (o Object) BindingFile() string { return o.join("binding.json") }

func (o Object) editLock() string { return o.join("edit.lock") }

// SupervisorLock returns the path of the file that a supervisor locks while it
// runs.
func (o Object) SupervisorLock() string { return o.join("supervisor.lock") }

// SupervisorFile returns the path of the file that records the most recent
// Supervisor. The process of that supervisor may have ended.
func (o Object) SupervisorFile() string { return o.join("supervisor.json") }

// SupervisorLog returns the path of the file with the output of all
// supervisors of the Framework.
func (o Object) SupervisorLog() string { return o.join("supervisor.log") }

func (o Object) configMapFile(name string) string { return o.join("configmap-" + name + ".json") }

func (o Object) configMapFiles() []string { return Glob(o.Dir, "configmap-*.json") }

// Load reads the Framework with its status and the notes of its supervisors. The
// error wraps cluster.ErrNotFound if the Framework does not exist.
func (o Object) Load() (*framework.Framework, []string, error) {
	fw, err := o.LoadSpec()
	if err != nil {
		return nil, nil, err
	}
	var seen ObservedStatus
	if err := ReadJSON(o.StatusFile(), &seen); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("read the status of Framework %s: %w", o.Name, err)
	}
	if seen.UID == fw.Metadata.UID {
		fw.Status = seen.Status
		return fw, seen.Notes, nil
	}
	return fw, nil, nil
}

// LoadSpec reads the metadata and the spec, including requests that did not fit
// into the spec file. The status of the result is nil. The error wraps
// cluster.ErrNotFound if the Framework does not exist.
func (o Object) LoadSpec() (*framework.Framework, error) {
	var fw framework.Framework
	err := ReadJSON(o.SpecFile(), &fw)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cluster.NotFound("Framework %s does not exist", o.Name)
	}
	if err == nil && fw.Metadata.Name != o.Name {
		err = &UnreadableError{File: o.SpecFile(), Err: errors.New("it contains a different Framework")}
	}
	if err != nil {
		return nil, fmt.Errorf("read the Framework %s: %w", o.Name, err)
	}
	fw.Status = nil // the status is in a separate file and valid for only one UID
	o.ReadRequests(&fw)
	return &fw, nil
}

// SaveSpec writes the metadata and the spec.
func (o Object) SaveSpec(fw *framework.Framework) error {
	stripped := *fw
	stripped.Status = nil
	return WriteJSON(o.SpecFile(), &stripped)
}

// Edit changes the metadata and the spec of an existing Framework.
func (o Object) Edit(change func(*framework.Framework)) error {
	lock, err := lockFile(o.editLock(), true)
	if errors.Is(err, fs.ErrNotExist) {
		return cluster.NotFound("Framework %s does not exist", o.Name)
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	fw, err := o.LoadSpec()
	if err != nil {
		return err
	}
	change(fw)
	return o.SaveSpec(fw)
}

// Objects returns all Frameworks in the store, sorted by name.
func (l Layout) Objects() ([]Object, error) {
	entries, err := os.ReadDir(l.Frameworks())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list Frameworks: %w", err)
	}
	var all []Object
	for _, e := range entries {
		if e.IsDir() && FrameworkName.MatchString(e.Name()) {
			all = append(all, l.Object(e.Name()))
		}
	}
	slices.SortFunc(all, func(a, b Object) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// RemoveFiles removes the Framework's directory. It deletes the spec last.
func (o Object) RemoveFiles() error {
	entries, err := os.ReadDir(o.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if name := filepath.Join(o.Dir, e.Name()); name != o.SpecFile() {
			if err := os.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(o.Dir)
}
