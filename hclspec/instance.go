// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// instancePath matches the address of a for_each instance at the beginning of a
// path.
var instancePath = regexp.MustCompile(`^(?:module\.[\w-]+(?:\["[^"]*"\])?\.)*(?:job|prerequisite\.\w+)\.[\pL\pN_-]+\["(?:[^"\\]|\\.)*"\]`)

// Concerning records a for_each instance in the diagnostics. It skips
// diagnostics that already have an instance. It reads the address of the
// instance at the beginning of path. If path does not begin with such an
// address, Concerning does nothing. name is the job name that the details
// contain, or "".
func Concerning(diags hcl.Diagnostics, path Path, name string) hcl.Diagnostics {
	instance := Address(instancePath.FindString(string(path)))
	if instance == "" {
		return diags
	}
	for _, d := range diags {
		if o, ok := d.Extra.(*origin); ok && len(o.instances) == 0 {
			o.instances, o.name = []Address{instance}, name
		}
	}
	return diags
}

// Affecting records the affected job in the diagnostic of a shared setting, such as a
// cluster. The detail must not mention the job, so that [Sort] merges the diagnostics
// of all jobs.
func Affecting(d *hcl.Diagnostic, job Address) *hcl.Diagnostic {
	if o, ok := d.Extra.(*origin); ok {
		o.instances = []Address{job}
	}
	return d
}

// Instances returns the for_each instances that [Concerning] recorded, or the jobs
// that [Affecting] recorded.
func Instances(d *hcl.Diagnostic) []Address {
	if o, ok := d.Extra.(*origin); ok {
		return o.instances
	}
	return nil
}

// NamesInstance reports whether the detail contains the job name that [Concerning]
// recorded. anonymous is the detail without the job name.
func NamesInstance(d *hcl.Diagnostic) (anonymous string, named bool) {
	o, ok := d.Extra.(*origin)
	if !ok || o.name == "" {
		return d.Detail, false
	}
	quoted := strconv.Quote(o.name)
	return strings.ReplaceAll(d.Detail, quoted, `""`), strings.Contains(d.Detail, quoted)
}

// adoptInstances adds the instances of a diagnostic to an identical
// diagnostic.
func adoptInstances(to, from *hcl.Diagnostic) {
	o, ok := to.Extra.(*origin)
	if !ok {
		return
	}
	for _, a := range Instances(from) {
		if !slices.Contains(o.instances, a) {
			o.instances = append(o.instances, a)
		}
	}
}
