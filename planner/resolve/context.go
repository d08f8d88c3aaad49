package resolve

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// roleScope is what the references in one task role can mean.
type roleScope struct {
	// name is `task role "worker"`.
	name string
	// roles are the names of all task roles of the job.
	roles []string
	// parameters are those of the job.
	parameters map[string]any
	// declared are the secrets that can be referred to, those of the job first.
	declared []*hclspec.Secret
	// contexts holds the instances that $data, $script and $output speak of.
	contexts map[string]*instance
	// secrets collects the names that the role's containers refer to.
	secrets map[string]bool
}

// lookup gives a value to a reference in a string that is written at a place.
type lookup func(ref template.Ref, at hcl.Range) (any, bool)

// at is the lookup of one string.
func (l lookup) at(place hcl.Range) template.Lookup {
	return func(ref template.Ref) (any, bool) { return l(ref, place) }
}

// thisLookup finds a field of the prerequisite that a string belongs to.
type thisLookup func(path []any, at hcl.Range) (any, bool)

// newRoleScope returns the scope of a role before its prerequisites are known.
func (r *resolver) newRoleScope(role *hclspec.TaskRole) *roleScope {
	return &roleScope{
		name: `task role "` + role.Name + `"`, roles: r.roleNames(), parameters: r.job.Parameters, declared: r.declaredSecrets(),
		contexts: map[string]*instance{}, secrets: map[string]bool{},
	}
}

// with returns the same scope with other contexts and no secrets noted yet.
func (s *roleScope) with(contexts map[string]*instance) *roleScope {
	other := *s
	other.contexts, other.secrets = contexts, map[string]bool{}
	return &other
}

// lookup gives values to references. this is nil outside of prerequisites.
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

// parameter returns a parameter of the job. References to secrets in it stay,
// everything else in it is plain.
func (s *roleScope) parameter(path []any) (any, bool) {
	value, ok := template.Find(s.parameters, path)
	return s.keepSecrets(value), ok
}

// keepSecrets makes templates of the strings in a value, in which references to
// secrets stay references.
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

// keepSecret leaves references to declared secrets for the runtime and notes them.
func (s *roleScope) keepSecret(ref template.Ref) bool {
	if ref.Root != "secrets" || len(ref.Path) != 1 {
		return false
	}
	name, _ := ref.Path[0].(string)
	if findSecret(s.declared, name) == nil {
		return false
	}
	s.secrets[name] = true
	return true
}
