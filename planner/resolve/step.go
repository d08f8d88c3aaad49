// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// render returns the steps in start order. It omits an image without
// callbacks, fetches and environment variables.
func (e *expansion) render() []*Step {
	var steps []*Step
	for _, i := range e.order() {
		e.renderFields(i, false)
		step := e.step(i)
		if i.filled.Type == "dockerimage" && len(step.Callbacks)+len(step.Fetch)+len(step.Environment) == 0 {
			continue
		}
		steps = append(steps, step)
	}
	return steps
}

// step returns the step for an instance whose fields are already rendered.
func (e *expansion) step(i *instance) *Step {
	p, path, sources := i.filled, i.definition.Path, i.definition.scope.sources
	t := e.renderer(e.role.lookup(e.rendered(i)), sources, i.address)
	s := &Step{
		Address: i.address, Name: p.PlainName(), Type: cmp.Or(p.Type, "script"),
		Plugin:        t.plugin(p.Plugin, defaultPlugin(p), path.Attr("plugin")),
		FailurePolicy: cmp.Or(p.FailurePolicy, "fail"), Retry: retry(p.Retry),
		Environment: t.environment(p.Environment, path.Attr("environment")),
		With:        i.with, URI: plainURIs(i.values.uri), Source: i.definition.source,
	}
	if s.Source != "" {
		s.Title, s.Link = i.definition.Title, i.definition.item.Link
	}
	if len(s.With) == 0 {
		s.With = nil
	}
	for _, needed := range i.requires {
		s.Requires = append(s.Requires, needed.address)
	}
	if !i.listed {
		s.RequiredBy = slices.Clone(i.requiredBy)
	}
	for _, c := range p.Callbacks {
		if done := t.callback(s, c); done != nil {
			s.Callbacks = append(s.Callbacks, done)
		}
	}
	s.Parameters = maps.Clone(i.values.parameters)
	t.commandParameters(s, path.Attr("parameters"))
	t.checkSSHParameters(s, path.Attr("parameters"))
	for _, f := range p.Fetch {
		s.Fetch = append(s.Fetch, t.fetch(f))
	}
	return s
}

func defaultPlugin(p *hclspec.Prerequisite) string {
	if p.Type == "dockerimage" {
		return contract.PluginDocker
	}
	return contract.PluginCmd
}

func (t *renderer) plugin(name, otherwise string, path hclspec.Path) string {
	if name == "" {
		return otherwise
	}
	short, known := contract.Plugin(name)
	if !known {
		t.reportAt(UnknownPlugin, t.sources.Range(path), "%s uses the unknown plugin %q; valid plugins are %s.%s",
			upperFirst(t.owner), name, hclspec.QuoteList(contract.Plugins, ""), hclspec.Suggest(short, contract.Plugins))
	}
	return short
}

// callback renders a callback. It returns nil if the event is unknown.
func (t *renderer) callback(s *Step, c *hclspec.Callback) *Callback {
	event, ok := t.event(c.Event, t.sources.Range(c.Path.Attr("event")))
	if !ok {
		return nil
	}
	done := &Callback{
		Event: event, Commands: t.commands(c.Commands, c.Path.Attr("commands")),
		FailurePolicy: cmp.Or(c.FailurePolicy, s.FailurePolicy), Retry: retry(c.Retry),
	}
	done.TimeoutSeconds = t.timeout(c)
	if done.Retry == nil {
		done.Retry = s.Retry
	}
	return done
}

// timeout returns the timeout of a callback in seconds, or 0 for none.
func (t *renderer) timeout(c *hclspec.Callback) int {
	if c.Timeout == "" {
		return 0
	}
	path := c.Path.Attr("timeout")
	text := t.render(c.Timeout, path)
	n, err := durationOf(text)
	if err != nil {
		t.reportAt(InvalidCallbacks, t.sources.Range(path), "The %s callback of %s has the invalid timeout %q: %v.", c.Event, t.owner, text, err)
	}
	return n
}

// event returns the current name of an event. Older names are valid only in
// jobs written for OpenPAI.
func (t *renderer) event(name string, at hcl.Range) (string, bool) {
	event, alias, ok := contract.Event(name)
	switch {
	case !ok:
		t.reportAt(UnknownEvent, at, "%s has a callback for the unknown event %q; valid events are %s.%s", upperFirst(t.owner), name, hclspec.QuoteList(contract.Events, ""), hclspec.Suggest(name, contract.Events))
	case alias && (t.syntax == hclspec.SyntaxTerraform || strings.Contains(at.Filename, ".pai.hcl")):
		t.reportAt(UnknownEvent, at, "%s has a callback for %q, an older name for the event %q. Write %q.", upperFirst(t.owner), name, event, event)
		return event, true
	case alias:
		t.reportAt(hclspec.OlderEventName, at, "%s has a callback for %q, an older name for the event %q.", upperFirst(t.owner), name, event)
	}
	return event, ok
}

func retry(r *hclspec.Retry) *Retry {
	if r == nil {
		return nil
	}
	return &Retry{Attempts: max(r.Attempts, 1), BackoffSeconds: seconds(r.Backoff, 0)}
}

// plainURIs removes template escapes, because the task does not render URIs.
// They only describe the origin of the step.
func plainURIs(uris []string) []string {
	var plain []string
	for _, uri := range uris {
		plain = append(plain, withoutEscapes(uri))
	}
	return plain
}
