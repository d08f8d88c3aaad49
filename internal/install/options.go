// SPDX-License-Identifier: MPL-2.0

package install

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// Options configure the manifests.
type Options struct {
	// EngineNamespace is the namespace of FrameworkController.
	EngineNamespace string
	// EngineImage is the image of FrameworkController, built from the sources of
	// microsoft/frameworkcontroller. If EngineImage is empty, the manifests do not
	// contain the StatefulSet.
	EngineImage string
	// JobNamespace is the namespace for the jobs and the Role of the job
	// users.
	JobNamespace string
	// PerUser creates one namespace for each user, named after JobNamespace and
	// the user.
	PerUser bool
	// Profile is the profile of the cluster block. Unless PodSecurity is set,
	// Profile determines the Pod security level of the namespaces.
	Profile, PodSecurity string
	// Users and Groups receive the permissions. If both are empty, the
	// manifests contain the role but no binding.
	Users, Groups []string
	// Workspaces restricts read access to Secrets: the role may read only the
	// Secrets with the keys of these workspaces. If the list is empty, the
	// role may read all Secrets in the namespace.
	Workspaces []string
	// PriorityClasses adds the permissions for jobs with their own
	// PriorityClasses.
	PriorityClasses bool
	// Only is the list of parts to print. An empty list means all parts.
	Only []string
}

// Default values of Options.
const (
	DefaultEngineNamespace = "frameworkcontroller"
	ReleasedEngineImage    = "frameworkcontroller/frameworkcontroller:v1.0.0"
	DefaultJobNamespace    = "default"
)

// Parts of the manifests, for Options.Only.
const (
	PartCRD      = "crd"
	PartEngine   = "engine"
	PartRole     = "role"
	PartPolicies = "policies"
)

// Parts returns the parts in the order in which Manifests prints them.
func Parts() []string { return []string{PartCRD, PartEngine, PartRole, PartPolicies} }

// PrintsEngine reports whether the engine is among the parts to print.
func (o Options) PrintsEngine() bool { return o.prints(PartEngine) }

func (o Options) prints(part string) bool {
	return len(o.Only) == 0 || slices.Contains(o.Only, part)
}

var (
	namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	serviceUser   = regexp.MustCompile(`^system:serviceaccount:[a-z0-9][-a-z0-9]*:[a-z0-9][-.a-z0-9]*$`)
)

const maxNamespace = 63

// Check rejects invalid options, and options that would grant users permissions
// outside their namespace.
func (o Options) Check() error {
	checks := []func() error{o.checkNames, o.checkNamespaces, o.checkSubjects}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (o Options) checkNames() error {
	for _, part := range o.Only {
		if !slices.Contains(Parts(), part) {
			return fmt.Errorf("unknown part %q; valid parts are %s", part, strings.Join(Parts(), ", "))
		}
	}
	if o.EngineImage != "" {
		if d := hclspec.CheckImage(o.EngineImage, false, hcl.Range{}); d != nil {
			return fmt.Errorf("invalid image of FrameworkController: %s", d.Detail)
		}
	}
	if profiles := []string{"", render.ProfileStandard, render.ProfileOpenPAI}; !slices.Contains(profiles, o.Profile) {
		return fmt.Errorf("unknown profile %q; valid profiles are %s and %s", o.Profile, render.ProfileStandard, render.ProfileOpenPAI)
	}
	if levels := []string{"", levelPrivileged, levelBaseline, levelRestricted}; !slices.Contains(levels, o.PodSecurity) {
		return fmt.Errorf("unknown Pod security level %q; valid levels are %s, %s and %s", o.PodSecurity, levelPrivileged, levelBaseline, levelRestricted)
	}
	return nil
}

func (o Options) checkNamespaces() error {
	if err := checkNamespace(o.EngineNamespace); err != nil {
		return err
	}
	namespaces, err := o.namespaces()
	if err != nil {
		return err
	}
	for _, s := range namespaces {
		if err := checkNamespace(s.name); err != nil {
			return err
		}
		if s.name == o.EngineNamespace {
			return fmt.Errorf("the jobs cannot use the namespace %q of FrameworkController: job users could read its token and control the cluster; choose a different namespace", s.name)
		}
		if strings.HasPrefix(s.name, "kube-") {
			return fmt.Errorf("the jobs cannot use the Kubernetes namespace %q: job users could read the tokens of Kubernetes components; choose a different namespace", s.name)
		}
	}
	return nil
}

func checkNamespace(name string) error {
	if len(name) > maxNamespace || !namespaceName.MatchString(name) {
		return fmt.Errorf("invalid namespace %q: use at most %d lower-case letters, digits and hyphens, and begin and end with a letter or digit", name, maxNamespace)
	}
	return nil
}

func (o Options) checkSubjects() error {
	for _, name := range slices.Concat(o.Users, o.Groups) {
		if !plainName(name) {
			return fmt.Errorf("invalid user or group %q: a name must not be empty, contain control characters, or begin or end with spaces", name)
		}
	}
	for _, name := range o.Workspaces {
		if !plainName(name) {
			return fmt.Errorf("invalid workspace %q: a name must not be empty, contain control characters, or begin or end with spaces", name)
		}
	}
	for _, name := range o.Users {
		if strings.HasPrefix(name, "system:") && !serviceUser.MatchString(name) {
			return fmt.Errorf("the user %q is reserved for Kubernetes; use a personal account, or a service account in the form system:serviceaccount:NAMESPACE:NAME", name)
		}
	}
	for _, name := range o.Groups {
		if strings.HasPrefix(name, "system:") {
			return fmt.Errorf("the group %q is reserved for Kubernetes, which determines its members; use a group whose members you control", name)
		}
	}
	return nil
}

func plainName(name string) bool {
	return name != "" && strings.TrimSpace(name) == name && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}
