// SPDX-License-Identifier: MPL-2.0

package install

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// Pod security levels of Kubernetes.
const (
	levelPrivileged = "privileged"
	levelBaseline   = "baseline"
	levelRestricted = "restricted"
)

const levelLabel = "pod-security.kubernetes.io/enforce"

// level returns the Pod security level of the job namespaces.
func (o Options) level() string {
	if o.Profile == render.ProfileOpenPAI {
		return cmp.Or(o.PodSecurity, levelPrivileged)
	}
	return cmp.Or(o.PodSecurity, levelBaseline)
}

// namespace describes a job namespace and the users who may run jobs in it.
type namespace struct {
	name          string
	users, groups []string
}

// namespaces returns the configured namespace, or one namespace per user.
func (o Options) namespaces() ([]namespace, error) {
	if !o.PerUser {
		return []namespace{{o.JobNamespace, o.Users, o.Groups}}, nil
	}
	if len(o.Users) == 0 || len(o.Groups) > 0 {
		return nil, fmt.Errorf("one namespace per user requires at least one user and no groups")
	}
	var all []namespace
	owner := map[string]string{}
	for _, user := range o.Users {
		name := o.JobNamespace + "-" + namespacePart(user)
		if other, used := owner[name]; used {
			return nil, fmt.Errorf("the users %q and %q would share the namespace %s; run the command separately for one of them with a different namespace", other, user, name)
		}
		owner[name] = user
		all = append(all, namespace{name: name, users: []string{user}})
	}
	return all, nil
}

// namespacePart converts a user name to a part of a namespace name. A hyphen
// replaces each invalid character.
func namespacePart(user string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(user)), "-")
}

// object returns the Namespace. Its Pod security level protects the nodes from
// users, who may create Frameworks and therefore Pods.
func (n namespace) object(level string) object {
	m := metadata(n.name, "")
	m["labels"] = object{levelLabel: level}
	return object{"apiVersion": "v1", "kind": "Namespace", "metadata": m}
}

// comment returns the YAML comment on the Pod security level.
func (o Options) comment() string {
	if o.level() == levelPrivileged {
		return "WARNING: Pods in this namespace have full access to the node; the profile\n" +
			"# \"openpai\" requires this. Users who can run jobs here are root on the nodes."
	}
	return "Permissions of openpai users; Pods in this namespace cannot access the node."
}
