// SPDX-License-Identifier: MPL-2.0

package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// sent is a comparable copy of the content that a command wrote for a Framework.
// Drift compares the files with this copy instead of rendering the objects
// again, because a different version of the program may render them differently.
type sent struct {
	Spec map[string]any `json:"spec"`
	// ConfigMaps contains the data of each ConfigMap, keyed by the name of
	// the ConfigMap.
	ConfigMaps map[string]map[string]any `json:"config_maps"`
	Binding    map[string]any            `json:"binding"`
}

func (o Object) sentFile() string { return o.join("sent.json") }

// SaveSent records the content of the Framework's files. Later changes to the
// files are drift.
func (o Object) SaveSent() error {
	s, err := o.current()
	if err != nil {
		return err
	}
	return WriteJSON(o.sentFile(), s)
}

// Drift returns the fields of the Framework's files that differ from the content
// recorded by SaveSent. It returns no fields if SaveSent has not recorded any
// content.
func (o Object) Drift() ([]planner.Drift, error) {
	var was sent
	err := ReadJSON(o.sentFile(), &was)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return []planner.Drift{{Object: "file sent.json", Kind: planner.DriftChanged}}, nil
	}
	is, err := o.current()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // deleted in the meantime
	}
	if err != nil {
		return nil, err
	}
	all := cluster.DriftOf(framework.Kind+" "+o.Name, "spec", was.Spec, is.Spec)
	for _, name := range slices.Sorted(maps.Keys(was.ConfigMaps)) {
		all = append(all, configMapDrift("ConfigMap "+name, was.ConfigMaps[name], is.ConfigMaps[name])...)
	}
	return append(all, cluster.DriftOf("file binding.json", "", was.Binding, is.Binding)...), nil
}

func configMapDrift(object string, was, is map[string]any) []planner.Drift {
	if is == nil {
		return []planner.Drift{{Object: object, Kind: planner.DriftMissing}}
	}
	var all []planner.Drift
	for _, key := range slices.Sorted(maps.Keys(was)) {
		all = append(all, cluster.DriftOf(object, fmt.Sprintf("data[%q]", key), was[key], is[key])...)
	}
	return all
}

// current returns the stored objects. It omits ConfigMaps that cannot be read,
// and the executionType, because a stop request changes the executionType.
func (o Object) current() (*sent, error) {
	var fw struct{ Spec map[string]any }
	if err := ReadJSON(o.SpecFile(), &fw); err != nil {
		return nil, err
	}
	delete(fw.Spec, "executionType")
	s := &sent{Spec: fw.Spec, ConfigMaps: map[string]map[string]any{}}
	for _, file := range o.configMapFiles() {
		var m framework.ConfigMap
		if err := ReadJSON(file, &m); err != nil {
			continue
		}
		data := map[string]any{}
		for key, text := range m.Data {
			data[key] = decoded(text)
		}
		s.ConfigMaps[m.Metadata.Name] = data
	}
	if err := ReadJSON(o.BindingFile(), &s.Binding); err != nil && !errors.As(err, new(*UnreadableError)) && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

// decoded parses text as JSON. It returns text if text is not JSON.
func decoded(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}
