// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// roleScope contains the values that references in a task role can use.
type roleScope struct {
	// name identifies the role in messages, for example `task role "worker"`.
	name string
	// module is the module of the job.
	module hclspec.Address
	// roles are the names of all task roles of the job.
	roles []string
	// parameters are the parameters of the job.
	parameters map[string]any
	// declared contains the secrets for references: the job's secrets, followed
	// by other secrets.
	declared []*hclspec.Secret
	// contexts maps "data", "script" and "output" to the instances of $data,
	// $script and $output.
	contexts map[string]*instance
	// secrets collects the names of the secrets that the role's containers refer
	// to.
	secrets map[string]bool
}

// lookup returns the value of a reference. at is the position of the string
// that contains the reference.
type lookup func(ref template.Ref, at hcl.Range) (any, bool)

func (l lookup) at(place hcl.Range) template.Lookup {
	return func(ref template.Ref) (any, bool) { return l(ref, place) }
}

// thisLookup returns a field of the prerequisite that a string belongs to.
type thisLookup func(path []any, at hcl.Range) (any, bool)

// newRoleScope returns a scope without the role's prerequisites, which are
// not known yet.
func (r *resolver) newRoleScope(role *hclspec.TaskRole) *roleScope {
	return &roleScope{
		name: `task role "` + role.Name + `"`, module: r.job.Module, roles: r.roleNames(), parameters: r.job.Parameters, declared: r.declaredSecrets(),
		contexts: map[string]*instance{}, secrets: map[string]bool{},
	}
}

// with returns a copy with the contexts and an empty set of secrets.
func (s *roleScope) with(contexts map[string]*instance) *roleScope {
	other := *s
	other.contexts, other.secrets = contexts, map[string]bool{}
	return &other
}

// lookup returns a function that looks up references. The parameter this is a
// function that returns the values of references that begin with "this"; it
// is nil outside prerequisites.
func (s *roleScope) lookup(this thisLookup) lookup {
	return func(ref template.Ref, at hcl.Range) (any, bool) {
		switch ref.Root {
		case "parameters":
			return s.parameter(ref.Path)
		case "data", "script", "output":
			if i := s.contexts[ref.Root]; i != nil {
				return i.ownField(ref.Path)
			}
		case "this":
			if this != nil {
				return this(ref.Path, at)
			}
		}
		return nil, false
	}
}

// parameter keeps references to secrets in a job parameter; all other text is
// literal.
func (s *roleScope) parameter(path []any) (any, bool) {
	value, ok := template.Find(s.parameters, path)
	return s.keepSecrets(value), ok
}

// keepSecrets converts each string to a template. Only references to secrets
// remain; all other text is literal.
func (s *roleScope) keepSecrets(value any) any {
	switch v := value.(type) {
	case string:
		none := func(template.Ref) (any, bool) { return nil, false }
		partial, _ := template.Partial(v, none, s.keepSecret)
		return template.Raw(partial)
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = s.keepSecrets(element)
		}
		return list
	}
	return value
}

// keepSecret reports whether ref is a declared secret, and records the
// secret. The runtime resolves such references.
func (s *roleScope) keepSecret(ref template.Ref) bool {
	name, ok := ref.Secret()
	if !ok || findSecret(s.declared, name) == nil {
		return false
	}
	s.secrets[name] = true
	return true
}
