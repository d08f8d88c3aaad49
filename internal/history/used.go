// SPDX-License-Identifier: MPL-2.0

package history

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// UsedItems returns the locked items and modules in the resolved job, and the
// number of other lock file entries. The resolved job does not record a module
// that provides only strings or numbers. UsedItems includes such a module in the
// number of other entries. If the record omits the job, UsedItems treats all
// entries as used.
func (r *Run) UsedItems() (used []Item, others int) {
	job, err := r.Resolved()
	if err != nil || job == nil {
		return r.Items, 0
	}
	addresses := referredTo(job)
	for _, i := range r.Items {
		if slices.ContainsFunc(addresses, i.contains) {
			used = append(used, i)
		}
	}
	return used, len(r.Items) - len(used)
}

// IsModule reports whether the entry is a module rather than a marketplace item.
func (i Item) IsModule() bool { return strings.HasPrefix(i.Address, "module.") }

// contains reports whether an address belongs to the item. A marketplace
// address can have a suffix in braces with the values of template variables.
// A module also contains the addresses in the modules that it calls.
func (i Item) contains(address string) bool {
	if !i.IsModule() {
		return address == i.Address || strings.HasPrefix(address, i.Address+"{")
	}
	call := string(hclspec.Address(address).ModuleCall())
	return call == i.Address || strings.HasPrefix(call, i.Address+".")
}

// referredTo returns the addresses in a resolved job.
func referredTo(job *resolve.Job) []string {
	all := []string{string(job.Address)}
	for _, role := range job.TaskRoles {
		all = append(all, role.Image.Address)
		for _, s := range role.Steps {
			all = append(all, s.Address)
		}
		for _, m := range role.Mounts {
			all = append(all, m.Address)
		}
	}
	return all
}
