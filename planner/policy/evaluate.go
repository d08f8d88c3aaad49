// SPDX-License-Identifier: MPL-2.0

package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Limits of one call to Judge. Limits are necessary because policies may be
// untrusted and Judge evaluates them for every subject.
const (
	maxEvaluations = 1_000_000
	maxBytes       = 128 << 20 // total size, in bytes, of the values that expressions refer to or compute in loops
	maxVerdicts    = 1_000     // per policy
)

// Judge evaluates policies against a plan. It returns results in the order of
// the policies, and a diagnostic for each violation. sources is the source map
// of the workspace.
func Judge(p *planner.Plan, policies []*hclspec.Policy, sources hclspec.SourceMap) ([]planner.PolicyResult, hcl.Diagnostics) {
	if len(policies) == 0 {
		return nil, nil
	}
	j := newJudgment(p, sources)
	results := make([]planner.PolicyResult, len(policies))
	for i, policy := range policies {
		results[i] = j.judge(policy)
	}
	return results, j.diags
}

// judgment is the state of one call to Judge.
type judgment struct {
	source  *planner.Plan
	sources hclspec.SourceMap
	// The fields plan and changes hold the values that expressions can use.
	plan    cty.Value
	changes []cty.Value
	// listed caches the subjects of each value of for_each.
	listed map[string][]*subject
	diags  hcl.Diagnostics

	evaluations, bytes int
}

func newJudgment(p *planner.Plan, sources hclspec.SourceMap) *judgment {
	j := &judgment{
		source: p, sources: sources, plan: valueOf(documentOf(p)), listed: map[string][]*subject{},
		evaluations: maxEvaluations, bytes: maxBytes,
	}
	for it := j.plan.GetAttr("changes").ElementIterator(); it.Next(); {
		_, c := it.Element()
		j.changes = append(j.changes, c)
	}
	return j
}

// judge evaluates a policy for each of its subjects. It stops at the first
// subject whose evaluation fails.
func (j *judgment) judge(p *hclspec.Policy) planner.PolicyResult {
	r := planner.PolicyResult{Name: p.Name, Directory: p.Directory, Level: p.Level}
	for _, s := range j.subjects(p.ForEach) {
		judged, good, err := j.verdict(p, s)
		if err != nil {
			r.Checked++
			r.Violations++
			r.Failed = true
			j.diags = append(j.diags, NotEvaluated.At(err.at, "%s cannot be evaluated for %s and therefore denies the plan: %s", describe(p), s.what, err.reason))
			return r
		}
		if !judged {
			continue
		}
		r.Checked++
		if good {
			continue
		}
		if r.Violations++; r.Violations <= maxVerdicts {
			j.violation(p, s, &r)
		}
	}
	return r
}

// failure describes why an expression has no valid result.
type failure struct {
	at     hcl.Range
	reason string
}

// verdict reports whether a policy applies (judged), and whether the subject
// complies (good).
func (j *judgment) verdict(p *hclspec.Policy, s *subject) (judged, good bool, err *failure) {
	judged = s.judged()
	if p.When != nil {
		if judged, err = j.truth(p.When, s); err != nil {
			return false, false, err
		}
	}
	if !judged {
		return false, false, nil
	}
	good, err = j.truth(p.Condition, s)
	return true, good, err
}

func (j *judgment) violation(p *hclspec.Policy, s *subject, r *planner.PolicyResult) {
	message, err := j.text(p.Message, s)
	if err != nil {
		r.Failed = true
		j.diags = append(j.diags, NotEvaluated.At(err.at, "Cannot evaluate the message of %s for the violation by %s: %s", place(p), s.what, err.reason))
		return
	}
	entry := Denied
	if !p.Deny() {
		entry = Warned
	}
	j.diags = append(j.diags, entry.At(j.place(p, s), "%s (%s, %s)", message, place(p), s.what))
}

// describe returns the name and position of the policy, capitalized to start
// a sentence.
func describe(p *hclspec.Policy) string { return "P" + place(p)[1:] }

func place(p *hclspec.Policy) string {
	text := fmt.Sprintf("policy %q", p.Name)
	if p.Range.Filename != "" {
		text += fmt.Sprintf(" at %s:%d", p.Range.Filename, p.Range.Start.Line)
	}
	return text
}

// place returns the position of the policy's field in the subject, or of the
// innermost enclosing element with a known position. Otherwise, it returns
// the position of the policy's condition.
func (j *judgment) place(p *hclspec.Policy, s *subject) hcl.Range {
	if s.path != "" {
		path := s.path
		if p.Field != "" {
			path = path.Attr(p.Field)
		}
		if at := j.sources.Range(path); at.Filename != "" {
			return at
		}
	}
	return p.Condition.Range()
}

// truth evaluates a condition. It returns a failure if the value is not a
// bool.
func (j *judgment) truth(e hclspec.Expression, s *subject) (bool, *failure) {
	v, err := j.evaluate(e, s)
	switch {
	case err != nil:
		return false, err
	case !v.IsKnown():
		return false, &failure{e.Range(), "the result depends on an unknown value."}
	case v.IsNull() || v.Type() != cty.Bool:
		return false, &failure{e.Range(), "the result is not a bool."}
	}
	return v.True(), nil
}

// maxMessage is the maximum length of a verdict's message, in characters.
const maxMessage = 2000

func (j *judgment) text(e hclspec.Expression, s *subject) (string, *failure) {
	v, err := j.evaluate(e, s)
	switch {
	case err != nil:
		return "", err
	case !v.IsKnown() || v.IsNull() || v.Type() != cty.String:
		return "", &failure{e.Range(), "the result is not a string."}
	}
	text := []rune(v.AsString())
	return string(text[:min(len(text), maxMessage)]), nil
}

func (j *judgment) evaluate(e hclspec.Expression, s *subject) (cty.Value, *failure) {
	each := map[string]cty.Value{"value": s.value, "change": cty.NullVal(cty.DynamicPseudoType)}
	if s.change >= 0 {
		each["change"] = j.changes[s.change]
	}
	names := map[string]cty.Value{"plan": j.plan, "each": cty.ObjectVal(each)}
	if err := j.pay(e, names); err != nil {
		return cty.DynamicVal, &failure{e.Range(), err.Error()}
	}
	v, diags := e.Evaluate(names, &j.bytes)
	if j.bytes < 0 {
		return cty.DynamicVal, &failure{e.Range(), errTooMuch.Error()}
	}
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			at := e.Range()
			if d.Subject != nil {
				at = *d.Subject
			}
			reason, _, _ := strings.Cut(d.Detail, "\n")
			return cty.DynamicVal, &failure{at, reason}
		}
	}
	v, _ = v.UnmarkDeep()
	return v, nil
}

var errTooMuch = errors.New("the policies exceed the computation limit for this plan. Use for_each = plan for conditions on all jobs, and refer only to the parts of the plan that the conditions need")

// pay reduces the budget by one evaluation and by the sizes of the referenced
// values. It returns errTooMuch if a limit is exceeded.
func (j *judgment) pay(e hclspec.Expression, names map[string]cty.Value) error {
	j.evaluations--
	for _, t := range e.Variables() {
		j.bytes -= size(follow(names[t.RootName()], t), j.bytes)
	}
	if j.evaluations < 0 || j.bytes < 0 {
		return errTooMuch
	}
	return nil
}
