// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// rootNames lists the names that a reference can begin with.
var rootNames = []string{"var", "local", "secret", "prerequisite", "storage", "cluster", "module", "each"}

// bind adds the value of a traversal to r. It reports unknown names.
func (s *scope) bind(r roots, t hcl.Traversal, fr frame) bool {
	switch root := t.RootName(); root {
	case "var":
		return bindNamed(s, r, t, "variable", s.variables, func(name string) (cty.Value, bool) {
			return s.variables[name], true
		})
	case "local":
		return bindNamed(s, r, t, "local value", s.locals, s.local)
	case "secret":
		known := s.secrets
		if len(fr.secrets) > 0 {
			known = maps.Clone(s.secrets)
			maps.Copy(known, fr.secrets)
		}
		return bindNamed(s, r, t, "secret", known, func(name string) (cty.Value, bool) { return known[name], true })
	case "storage":
		return bindNamed(s, r, t, "storage", s.storages, func(name string) (cty.Value, bool) {
			return s.storages[name].value(s)
		})
	case "cluster":
		return bindNamed(s, r, t, "cluster", s.clusters, func(name string) (cty.Value, bool) {
			return s.clusters[name].value(s)
		})
	case "module":
		return s.bindModule(r, t)
	case "prerequisite":
		return s.bindPrerequisite(r, t, fr)
	case "each":
		return s.bindEach(r, t, fr)
	default:
		s.decoder.report(unknownRoot(root, t.SourceRange()))
		return false
	}
}

// bindNamed binds root.name, or every name for a whole root.
func bindNamed[V any](s *scope, r roots, t hcl.Traversal, noun string, known map[string]V, value func(string) (cty.Value, bool)) bool {
	name, ok := stepName(t, 1)
	if !ok {
		r.touch(t.RootName())
		ok := true
		for _, name := range slices.Sorted(maps.Keys(known)) {
			v, good := value(name)
			r.set(v, t.RootName(), name)
			ok = ok && good
		}
		return ok
	}
	if _, found := known[name]; found {
		v, ok := value(name)
		r.set(v, t.RootName(), name)
		return ok
	}
	s.decoder.report(UnknownReference.At(t.SourceRange(), "No %s %q is declared.%s", noun, name, nearestKey(name, known)))
	return false
}

// maxSorted is the maximum number of declared names for which decoding makes a
// suggestion. The limit keeps decoding fast, because a file may contain many
// unknown names.
const maxSorted = 300

// nearestKey is like nearest, but takes the names from the keys of a map. It
// returns "" if the map has more than maxSorted keys.
func nearestKey[V any](name string, known map[string]V) string {
	if len(known) > maxSorted {
		return ""
	}
	return nearest(name, slices.Sorted(maps.Keys(known)))
}

// nearest returns a sentence that suggests a similar declared name or states
// that no name is declared.
func nearest(name string, known []string) string {
	if len(known) == 0 {
		return " None is declared."
	}
	return hclspec.Suggest(name, known)
}

func (s *scope) bindPrerequisite(r roots, t hcl.Traversal, fr frame) bool {
	kind, input := stepName(t, 1)
	if !input {
		ok := true
		for _, kind := range hclspec.PrerequisiteTypes {
			ok = s.bindKind(r, kind, fr) && ok
		}
		return ok
	}
	if s.prerequisites[kind] == nil {
		name, _ := stepName(t, 2)
		if fr.own[kind][name] != nil || s.decoder.declared["prerequisite\x00"+kind+"\x00"+name] != nil {
			return false // the diagnostic for the declaration reports the unknown type
		}
		s.decoder.report(UnknownReference.At(t.SourceRange(), "Unknown prerequisite type %q; valid types are %s.%s", kind,
			strings.Join(hclspec.PrerequisiteTypes, ", "), hclspec.Suggest(kind, hclspec.PrerequisiteTypes)))
		return false
	}
	name, input := stepName(t, 2)
	if !input {
		return s.bindKind(r, kind, fr)
	}
	found := fr.own[kind][name]
	if found == nil {
		found = s.prerequisites[kind][name]
	}
	if found == nil {
		s.decoder.report(s.unknownPrerequisite(t, kind, name, fr))
		return false
	}
	v, ok := found.value(s)
	r.set(v, "prerequisite", kind, name)
	return ok
}

func (s *scope) bindKind(r roots, kind string, fr frame) bool {
	r.touch("prerequisite", kind)
	ok := true
	for _, byName := range []map[string]*target{s.prerequisites[kind], fr.own[kind]} {
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			v, good := byName[name].value(s)
			r.set(v, "prerequisite", kind, name)
			ok = ok && good
		}
	}
	return ok
}

func (s *scope) unknownPrerequisite(t hcl.Traversal, kind, name string, fr frame) *hcl.Diagnostic {
	for _, other := range hclspec.PrerequisiteTypes {
		if s.prerequisites[other][name] != nil || fr.own[other][name] != nil {
			return UnknownReference.At(t.SourceRange(), "No prerequisite %q of type %s is declared, only one of type %s. Did you mean %q?",
				name, kind, other, hclspec.NewAddress("prerequisite", other, name))
		}
	}
	if len(s.prerequisites[kind]) > maxSorted {
		return UnknownReference.At(t.SourceRange(), "No prerequisite %q of type %s is declared.", name, kind)
	}
	known := append(slices.Sorted(maps.Keys(s.prerequisites[kind])), slices.Sorted(maps.Keys(fr.own[kind]))...)
	return UnknownReference.At(t.SourceRange(), "No prerequisite %q of type %s is declared.%s", name, kind, nearest(name, known))
}

func (s *scope) bindEach(r roots, t hcl.Traversal, fr frame) bool {
	if fr.each == nil {
		s.decoder.report(UnknownReference.At(t.SourceRange(), "each.key and each.value are available only in a job, prerequisite or module with for_each."))
		return false
	}
	r.set(cty.StringVal(fr.each.key), "each", "key")
	r.set(fr.each.value, "each", "value")
	return true
}

// shellName matches the usual form of environment variable names.
var shellName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

func unknownRoot(root string, at hcl.Range) *hcl.Diagnostic {
	if shellName.MatchString(root) {
		return ShellVariable.At(at, "HCL evaluates ${ } when it reads the file, but the name %q is not declared. For the shell variable, write $%s or $${%s}.", root, root, root)
	}
	advice := hclspec.Suggest(root, rootNames)
	if advice == "" {
		advice = fmt.Sprintf(" References start with %s. For a string, write %q; for a shell variable in a command, write $${%s}.", strings.Join(rootNames, ", "), root, root)
	}
	return UnknownReference.At(at, "The name %q is not declared.%s", root, advice)
}

// stepName returns the name or constant key at position i.
func stepName(t hcl.Traversal, i int) (string, bool) {
	if i >= len(t) {
		return "", false
	}
	switch step := t[i].(type) {
	case hcl.TraverseAttr:
		return step.Name, true
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
			return step.Key.AsString(), true
		}
	}
	return "", false
}
