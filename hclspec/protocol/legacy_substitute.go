// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	legacyReference     = regexp.MustCompile(`\$\$([A-Za-z0-9._]+)\$\$`)
	legacyReferenceOnly = regexp.MustCompile(`^\$\$([A-Za-z0-9._]+)\$\$$`)
)

// legacyScope contains the values for $$name$$ in a task. Task parameters
// take precedence over task properties, and task properties over job
// parameters.
type legacyScope struct {
	d              *decoder
	taskParameters *mapping // the task's parameters, or nil
	task           *mapping
	jobParameters  *mapping // the job's parameters, or nil
}

func (d *decoder) legacyScope(task *mapping, parameters *entry) *legacyScope {
	s := &legacyScope{d: d, task: task}
	if parameters != nil && parameters.value.Kind == yaml.MappingNode {
		s.jobParameters = newMapping(d.src, parameters.value)
	}
	for _, name := range []string{"parameters", "commandParameters"} {
		if e := task.get(name); e != nil && e.value.Kind == yaml.MappingNode {
			s.taskParameters = newMapping(d.src, e.value)
		}
	}
	return s
}

// scalar replaces a value that consists of a single reference with the
// referenced node, which need not be a string.
func (s *legacyScope) scalar(n *yaml.Node) *yaml.Node {
	for range 2 { // a task parameter may refer to a job parameter
		if n.Kind != yaml.ScalarNode {
			return n
		}
		m := legacyReferenceOnly.FindStringSubmatch(s.d.src.value(n))
		if m == nil {
			return n
		}
		found := s.node(m[1])
		if found == nil || found == n || found.Kind != yaml.ScalarNode {
			return n
		}
		n = found
	}
	return n
}

func (s *legacyScope) node(name string) *yaml.Node {
	for _, m := range []*mapping{s.taskParameters, s.jobParameters} {
		if n := lookupPath(s.d.src, m, name); n != nil {
			return n
		}
	}
	return nil
}

// lookupPath finds the value at a dotted path.
func lookupPath(src *source, m *mapping, path string) *yaml.Node {
	if m == nil {
		return nil
	}
	if e := m.get(path); e != nil {
		return e.value
	}
	head, rest, nested := strings.Cut(path, ".")
	e := m.get(head)
	if !nested || e == nil || e.value.Kind != yaml.MappingNode {
		return nil
	}
	return lookupPath(src, newMapping(src, e.value), rest)
}

// substitute replaces the references in a command. References to job
// parameters become protocol references. Users can then still change a
// parameter in one place.
func (s *legacyScope) substitute(n *yaml.Node, text string) string {
	text = strings.ReplaceAll(text, "<%", "<%%") // the older format does not interpret <%
	return legacyReference.ReplaceAllStringFunc(text, func(ref string) string {
		name := legacyReference.FindStringSubmatch(ref)[1]
		value, ok := s.lookup(name)
		if !ok {
			s.d.report(LegacyUnresolved.At(s.d.src.at(n), "%s matches no property of the task and no parameter of the task or the job. openpai does not change the reference.", ref))
			return ref
		}
		return value
	})
}

func (s *legacyScope) lookup(name string) (string, bool) {
	if n := lookupPath(s.d.src, s.taskParameters, name); n != nil && n.Kind == yaml.ScalarNode {
		return s.substituteParameters(s.d.src.value(n)), true
	}
	if n := lookupPath(s.d.src, s.task, name); n != nil && n.Kind == yaml.ScalarNode {
		if slices.Contains([]string{"data", "script", "storage", "output", "dockerimage"}, name) {
			return legacyName(s.d.src.value(n)), true // the directory name
		}
		return s.d.src.value(s.scalar(n)), true
	}
	if lookupPath(s.d.src, s.jobParameters, name) != nil {
		return "<% $parameters." + name + " %>", true
	}
	return "", false
}

// substituteParameters replaces each reference to a job parameter with <%
// $parameters.NAME %>.
func (s *legacyScope) substituteParameters(text string) string {
	return legacyReference.ReplaceAllStringFunc(text, func(ref string) string {
		name := legacyReference.FindStringSubmatch(ref)[1]
		if lookupPath(s.d.src, s.jobParameters, name) == nil {
			return ref
		}
		return "<% $parameters." + name + " %>"
	})
}
