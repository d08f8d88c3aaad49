package resolve

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// maxRoleName is the longest name of a task role. Source:
// microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1/constants.go.
const maxRoleName = 63

// frameworkNames returns the names of the task roles in the Framework, in
// order, and reports those that cannot be used.
func (r *resolver) frameworkNames() []string {
	names := make([]string, len(r.job.TaskRoles))
	first := map[string]string{}
	for i, role := range r.job.TaskRoles {
		name := contract.RoleName(role.Name)
		names[i] = name
		switch other, used := first[name]; {
		case name == "":
			r.report(hclspec.InvalidRoleName, role.Path, "The name of the task role %q has no letter from a to z and no digit.", role.Name)
		case len(name) > maxRoleName:
			r.report(hclspec.InvalidRoleName, role.Path, "The name of the task role %q is %d characters long on the cluster; at most %d are possible.", role.Name, len(name), maxRoleName)
		case used:
			r.report(hclspec.InvalidRoleName, role.Path, "The task roles %q and %q are both called %q on the cluster. Rename one of them.", other, role.Name, name)
		default:
			first[name] = role.Name
		}
	}
	return names
}
