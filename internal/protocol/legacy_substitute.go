package protocol

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

var (
	legacyReference = regexp.MustCompile(`\$\$([A-Za-z0-9._]+)\$\$`)
	legacyWhole     = regexp.MustCompile(`^\$\$([A-Za-z0-9._]+)\$\$$`)
)

// legacyScope is what $$name$$ can mean in one task: its own parameters, its
// own properties, and the parameters of the job, in this order.
type legacyScope struct {
	d    *decoder
	own  *mapping // the task's parameters, or nil
	task *mapping
	job  *mapping // the job's parameters, or nil
}

func (d *decoder) legacyScope(task *mapping, parameters *entry) *legacyScope {
	s := &legacyScope{d: d, task: task}
	if parameters != nil && parameters.value.Kind == yaml.MappingNode {
		s.job = newMapping(d.src, parameters.value)
	}
	for _, name := range []string{"parameters", "commandParameters"} {
		if e := task.get(name); e != nil && e.value.Kind == yaml.MappingNode {
			s.own = newMapping(d.src, e.value)
		}
	}
	return s
}

// scalar returns the node that a value stands for: a text that is one
// reference keeps the type of what it refers to.
func (s *legacyScope) scalar(n *yaml.Node) *yaml.Node {
	for range 2 { // a parameter of the task may refer to one of the job
		if n.Kind != yaml.ScalarNode {
			return n
		}
		m := legacyWhole.FindStringSubmatch(s.d.src.value(n))
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
	for _, m := range []*mapping{s.own, s.job} {
		if n := walkTo(s.d.src, m, name); n != nil {
			return n
		}
	}
	return nil
}

// walkTo finds a value by a dotted path.
func walkTo(src *source, m *mapping, path string) *yaml.Node {
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
	return walkTo(src, newMapping(src, e.value), rest)
}

// command replaces the references in a command. Parameters of the job become
// references of the protocol, so that they can still be changed in one place.
func (s *legacyScope) command(n *yaml.Node, text string) string {
	text = strings.ReplaceAll(text, "<%", "<%%") // it has no meaning in the older format
	return legacyReference.ReplaceAllStringFunc(text, func(ref string) string {
		name := legacyReference.FindStringSubmatch(ref)[1]
		value, ok := s.value(name)
		if !ok {
			s.d.report(hclspec.LegacyUnresolved.At(s.d.src.at(n), "%s is neither a property or parameter of the task nor a parameter of the job. It is left as it is.", ref))
			return ref
		}
		return value
	})
}

func (s *legacyScope) value(name string) (string, bool) {
	if n := walkTo(s.d.src, s.own, name); n != nil && n.Kind == yaml.ScalarNode {
		return s.ofParameter(s.d.src.value(n)), true
	}
	if n := walkTo(s.d.src, s.task, name); n != nil && n.Kind == yaml.ScalarNode {
		if slices.Contains([]string{"data", "script", "storage", "output", "dockerimage"}, name) {
			return legacyName(s.d.src.value(n)), true // the name of the directory
		}
		return s.d.src.value(s.scalar(n)), true
	}
	if walkTo(s.d.src, s.job, name) != nil {
		return "<% $parameters." + name + " %>", true
	}
	return "", false
}

// ofParameter replaces references to parameters of the job in the value of a
// parameter of the task.
func (s *legacyScope) ofParameter(text string) string {
	return legacyReference.ReplaceAllStringFunc(text, func(ref string) string {
		name := legacyReference.FindStringSubmatch(ref)[1]
		if walkTo(s.d.src, s.job, name) == nil {
			return ref
		}
		return "<% $parameters." + name + " %>"
	})
}
