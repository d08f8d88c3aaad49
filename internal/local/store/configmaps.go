// SPDX-License-Identifier: MPL-2.0

package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// RunSpecs maps the name of a role in the Framework to its run specification.
type RunSpecs map[string]*runspec.Spec

// Gang reports whether the tasks wait for each other.
func (s RunSpecs) Gang() bool {
	for _, spec := range s {
		return spec.Gang // equal for all roles
	}
	return false
}

// RunSpecs reads the run specifications of the roles from the stored ConfigMaps.
// The data key of each specification is the role name with the suffix .json.
// Other keys are ignored.
func (o Object) RunSpecs(roles []framework.TaskRole) (RunSpecs, error) {
	found := RunSpecs{}
	for _, name := range o.configMapFiles() {
		var m framework.ConfigMap
		if err := ReadJSON(name, &m); err != nil {
			return nil, fmt.Errorf("read a ConfigMap of Framework %s: %w", o.Name, err)
		}
		for _, role := range roles {
			text, here := m.Data[role.Name+".json"]
			if !here {
				continue
			}
			var spec runspec.Spec
			if err := json.Unmarshal([]byte(text), &spec); err != nil {
				return nil, fmt.Errorf("read the run specification of task role %s of Framework %s: %w", role.Name, o.Name, err)
			}
			found[role.Name] = &spec
		}
	}
	return found, nil
}

// SaveConfigMaps replaces the stored ConfigMaps with the given ConfigMaps.
func (o Object) SaveConfigMaps(maps []*framework.ConfigMap) error {
	current := map[string]bool{}
	for _, m := range maps {
		name := o.configMapFile(m.Metadata.Name)
		current[name] = true
		if err := WriteJSON(name, m); err != nil {
			return err
		}
	}
	for _, name := range o.configMapFiles() {
		if current[name] {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove a ConfigMap of Framework %s: %w", o.Name, err)
		}
	}
	return nil
}
