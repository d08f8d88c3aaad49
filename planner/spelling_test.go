// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// filler sets each field to unique content and records the location of the
// field.
type filler struct {
	next  int
	sites []site
}

// site is one value in a job, with its entry in the table.
type site struct {
	name string // Job.TaskRoles.Image.URI
	omit string
	set  func(n int)
}

func (f *filler) fill(v reflect.Value, name, omit string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), name, omit)
	case reflect.Struct:
		f.object(v, name, omit)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), name, omit)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		f.site(name, omit, func(n int) {
			element := reflect.New(v.Type().Elem()).Elem()
			set(element, n)
			v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), element)
		})
	default:
		f.site(name, omit, func(n int) { set(v, n) })
	}
}

func (f *filler) object(v reflect.Value, name, omit string) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		s := spell(v.Type(), field)
		if s.omit == notInJSON {
			continue
		}
		reason := omit
		if reason == "" && s.omit != inPath {
			reason = s.omit
		}
		f.fill(v.Field(i), name+"."+field.Name, reason)
	}
}

func (f *filler) site(name, omit string, change func(n int)) {
	f.next++
	change(f.next)
	f.sites = append(f.sites, site{name, omit, change})
}

func set(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", n))
	case reflect.Bool:
		v.SetBool(n > 0)
	case reflect.Int:
		v.SetInt(int64(n))
	case reflect.Interface:
		v.Set(reflect.ValueOf(fmt.Sprintf("free %d", n)))
	default:
		panic("cannot fill a " + v.Type().String())
	}
}

func filled() (*resolve.Job, []site) {
	job := &resolve.Job{}
	var f filler
	f.fill(reflect.ValueOf(job).Elem(), "Job", "")
	return job, f.sites
}

// TestEveryFieldIsHashed changes each field of a resolved job. The hashes
// must change unless the table states a reason to omit the field.
func TestEveryFieldIsHashed(t *testing.T) {
	t.Parallel()
	job, sites := filled()
	if len(sites) < 80 {
		t.Fatalf("only %d fields were reached", len(sites))
	}
	_, before := Hashes(job)
	for i, s := range sites {
		s.set(-i) // a value that no other field of this type has
		_, after := Hashes(job)
		changed := !cmp.Equal(before, after)
		if changed == (s.omit != "") {
			t.Errorf("%s: hashes changed: %v, reason to omit the field: %q", s.name, changed, s.omit)
		}
		s.set(i + 1)
	}
}

// TestSpellingsNameFields checks that the fields in the table exist. If a
// field were renamed, an entry with the old name would have no effect.
func TestSpellingsNameFields(t *testing.T) {
	t.Parallel()
	for typ, fields := range spellings {
		for name := range fields {
			if _, ok := typ.FieldByName(name); !ok {
				t.Errorf("%s has no field %s", typ, name)
			}
		}
	}
}

// TestPathsAreInTheFieldTable excludes the leaf paths that only a resolved job
// has. The field table defines the effects.
func TestPathsAreInTheFieldTable(t *testing.T) {
	t.Parallel()
	onlyResolved := []string{"task_role_order", ".leaf_cell_number"}
	job, _ := filled()
	job.TaskRoles = append(job.TaskRoles, &resolve.TaskRole{Name: "second"})
	job.Notification = map[string]bool{"failed": true} // its keys are fields
	for _, l := range leaves(job) {
		known := hclspec.JobBlock.Lookup(l.path) != nil
		listed := slices.ContainsFunc(onlyResolved, func(s string) bool { return strings.HasSuffix(string(l.path), s) })
		if known == listed {
			t.Errorf("%s: in the field table: %v, in onlyResolved: %v", l.path, known, listed)
		}
	}
}

// TestPathsAreUnique checks that no two leaves have the same path. Otherwise,
// one leaf would hide the other leaf.
func TestPathsAreUnique(t *testing.T) {
	t.Parallel()
	job, _ := filled()
	role := job.TaskRoles[0]
	role.Steps = append(role.Steps, role.Steps[0])
	role.Steps[0].Callbacks = append(role.Steps[0].Callbacks, role.Steps[0].Callbacks[0])
	seen := map[hclspec.Path]bool{}
	for _, l := range leaves(job) {
		if seen[l.path] {
			t.Errorf("%s twice", l.path)
		}
		seen[l.path] = true
	}
}

func TestEachFieldHasTheEffectOfItsChange(t *testing.T) {
	t.Parallel()
	gang, single := &resolve.Job{JobSettings: hclspec.JobSettings{GangAllocation: true}}, &resolve.Job{}
	tests := []struct {
		path string
		job  *resolve.Job
		want hclspec.Effect
	}{
		{"description", gang, hclspec.EffectNone},
		{"contributor", gang, hclspec.EffectNone},
		{"version", gang, hclspec.EffectNone},
		{"rerun", gang, hclspec.EffectNone},
		{"notification.failed", gang, hclspec.EffectNone},
		{"prevent_destroy", gang, hclspec.EffectNone},
		{"job_retry_count", gang, hclspec.EffectInPlace},
		{`task_role["a"].task_retry_count`, single, hclspec.EffectInPlace},
		{`task_role["a"].completion.min_failed_instances`, gang, hclspec.EffectInPlace},
		{`task_role["a"].completion.min_succeeded_instances`, gang, hclspec.EffectInPlace},
		{`task_role["a"].instances`, gang, hclspec.EffectReplace},
		{`task_role["a"].instances`, single, hclspec.EffectInPlace},
		{`task_role["a"].instances`, &resolve.Job{JobSettings: hclspec.JobSettings{GangAllocation: true}, JobLifecycle: hclspec.JobLifecycle{Rescale: "in_place"}}, hclspec.EffectInPlace},
		{`task_role["a"].commands[3]`, gang, hclspec.EffectReplace},
		{`task_role["a"].prerequisites["prerequisite.data.d"].callback["taskStarts"].commands[0]`, gang, hclspec.EffectReplace},
		{`task_role["a"].prerequisites`, gang, hclspec.EffectReplace},
		{`task_role["a"].storage["/mnt"].host_path`, gang, hclspec.EffectReplace},
		{`task_role["a"].environment["description"]`, gang, hclspec.EffectReplace},
		{`parameters["instances"]`, single, hclspec.EffectReplace},
		{"gang_allocation", gang, hclspec.EffectReplace},
		{"name", gang, hclspec.EffectReplace},
		{"task_role_order", gang, hclspec.EffectReplace},
	}
	for _, tt := range tests {
		if got := effect(hclspec.Path(tt.path), tt.job); got != tt.want {
			t.Errorf("effect of %s is %s, want %s", tt.path, got, tt.want)
		}
	}
}
