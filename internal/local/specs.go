package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// specs are the run specifications by the name of the role in the Framework.
type specs map[string]*runspec.Spec

// gang reports whether the tasks wait for each other.
func (s specs) gang() bool {
	for _, spec := range s {
		return spec.Gang // the same for every role
	}
	return false
}

// readDependants reads what the Framework's tasks are started from. A Framework
// that was stopped before it was complete lacks some, and needs none.
func (s *supervisor) readDependants() error {
	var b binding
	if err := readJSON(s.object.bindingFile(), &b); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("bindings of Framework %s: %w", s.object.name, err)
	}
	found, err := s.object.runSpecs(s.fw.Spec.TaskRoles)
	if err != nil {
		return err
	}
	s.binding, s.specs = &b, found
	return nil
}

// runSpecs finds the run specifications of the roles in the stored ConfigMaps,
// each under the name of its role. Other keys are not looked at.
func (o object) runSpecs(roles []framework.TaskRole) (specs, error) {
	files, err := filepath.Glob(o.configMapFile("*"))
	if err != nil {
		return nil, fmt.Errorf("list ConfigMaps of Framework %s: %w", o.name, err)
	}
	found := specs{}
	for _, name := range files {
		var m framework.ConfigMap
		if err := readJSON(name, &m); err != nil {
			return nil, fmt.Errorf("ConfigMap of Framework %s: %w", o.name, err)
		}
		for _, role := range roles {
			text, here := m.Data[role.Name+".json"]
			if !here {
				continue
			}
			var spec runspec.Spec
			if err := json.Unmarshal([]byte(text), &spec); err != nil {
				return nil, fmt.Errorf("run specification of task role %s of Framework %s: %w", role.Name, o.name, err)
			}
			found[role.Name] = &spec
		}
	}
	return found, nil
}

// saveConfigMaps makes the stored ConfigMaps exactly the given ones.
func (o object) saveConfigMaps(maps []*framework.ConfigMap) error {
	keep := map[string]bool{}
	for _, m := range maps {
		name := o.configMapFile(m.Metadata.Name)
		keep[name] = true
		if err := writeJSON(name, m); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(o.configMapFile("*"))
	if err != nil {
		return fmt.Errorf("list ConfigMaps of Framework %s: %w", o.name, err)
	}
	for _, name := range files {
		if keep[name] {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove a ConfigMap of Framework %s: %w", o.name, err)
		}
	}
	return nil
}
