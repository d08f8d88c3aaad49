package protocol

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// dropUnread drops from a job the references to prerequisites that are written
// but could not be read, so that the checks of the whole model do not report
// them once more.
func (d *decoder) dropUnread(job *hclspec.Job) {
	if d.errors == 0 {
		return
	}
	all := slices.Concat(job.Prerequisites, job.ReferencePrerequisites)
	typed := map[string]bool{} // by name, whether the type is a known one
	for _, p := range all {
		typed[p.Name] = typed[p.Name] || slices.Contains(hclspec.PrerequisiteTypes, p.Type)
	}
	unread := func(ref hclspec.Reference) bool {
		known, declared := typed[ref.Target]
		return !known && (declared || d.unnamed) && !strings.Contains(ref.Target, "://")
	}
	for _, p := range all {
		p.Require = slices.DeleteFunc(p.Require, unread)
	}
	for _, role := range job.TaskRoles {
		role.Prerequisites = slices.DeleteFunc(role.Prerequisites, unread)
		for _, ref := range []*hclspec.Reference{&role.Image, &role.Data, &role.Output, &role.Script} {
			if unread(*ref) {
				*ref = hclspec.Reference{}
			}
		}
	}
}
