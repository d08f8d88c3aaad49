package resolve

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// roleScope is what the references in one task role can mean.
type roleScope struct {
	r *resolver
	// name is `task role "worker"`.
	name string
	// contexts holds the instances that $data, $script and $output speak of.
	contexts map[string]*instance
	// secrets collects the names that the role's containers refer to.
	secrets map[string]bool
}

// thisLookup finds a field of the prerequisite that a text belongs to.
type thisLookup func(path []any) (any, bool)

// newRoleScope resolves the prerequisites that data, script and output name.
// They are read, never run: they feed templates only.
func (r *resolver) newRoleScope(role *hclspec.TaskRole) *roleScope {
	s := &roleScope{r: r, name: `task role "` + role.Name + `"`, contexts: map[string]*instance{}, secrets: map[string]bool{}}
	for _, c := range []struct {
		context string
		ref     hclspec.Reference
	}{{"data", role.Data}, {"script", role.Script}, {"output", role.Output}} {
		if c.ref.IsZero() {
			continue
		}
		plain := &roleScope{r: r, name: s.name, secrets: map[string]bool{}}
		e := r.expand(plain, []hclspec.Reference{c.ref}, c.context)
		for _, i := range e.order() {
			e.renderFields(i, true)
			if i.listed {
				s.contexts[c.context] = i
			}
		}
	}
	return s
}

// lookup gives values to references. this is nil outside of prerequisites.
func (s *roleScope) lookup(this thisLookup) template.Lookup {
	return func(ref template.Ref) (any, bool) {
		switch ref.Root {
		case "parameters":
			return s.parameter(ref.Path)
		case "data", "script", "output":
			if i := s.contexts[ref.Root]; i != nil {
				return i.own(ref.Path)
			}
		case "this":
			if this != nil {
				return this(ref.Path)
			}
		}
		return nil, false
	}
}

// parameter returns a parameter of the job. References to secrets in it stay,
// everything else in it is text.
func (s *roleScope) parameter(path []any) (any, bool) {
	value, ok := template.Find(s.r.job.Parameters, path)
	text, isText := value.(string)
	if !ok || !isText {
		return value, ok
	}
	none := func(template.Ref) (any, bool) { return nil, false }
	partial, _ := template.Partial(text, none, s.keep)
	return template.Raw(partial), true
}

// keep leaves references to declared secrets for the runtime and notes them.
func (s *roleScope) keep(ref template.Ref) bool {
	if ref.Root != "secrets" || len(ref.Path) != 1 {
		return false
	}
	name, _ := ref.Path[0].(string)
	if s.r.secret(name) == nil {
		return false
	}
	s.secrets[name] = true
	return true
}
