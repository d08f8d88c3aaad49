// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
)

func TestValuesOutsideTheFieldTableAreErrors(t *testing.T) {
	t.Parallel()
	ports, name := resourcesBlock.Field("ports"), JobBlock.Field("name")
	policy, instances := PrerequisiteBlock.Field("failure_policy"), TaskRoleBlock.Field("instances")
	completion := completionBlock.Field("min_failed_instances")
	two, minusTwo := 2, -2
	text := "x"
	cases := map[string]struct {
		field *Field
		value any
		want  []string
	}{
		"an enumeration accepts its values":                   {policy, "fail", nil},
		"an enumeration suggests a near value":                {policy, "ignor", []string{`failure_policy must be "fail" or "ignore", but is "ignor". Did you mean "ignore"?`}},
		"a number at its lower bound":                         {instances, 1, nil},
		"a number below its bound":                            {instances, 0, []string{"instances must be at least 1, but is 0."}},
		"a number above its bound":                            {instances, 10001, []string{"instances must be at most 10000, but is 10001."}},
		"a number that exceeds 32 bits":                       {JobBlock.Field("job_retry_count"), math.MaxUint32 - 1, []string{"job_retry_count must be at most 2147483647, but is 4294967294."}},
		"the longest time of a Pod":                           {JobBlock.Field("max_run_time"), Duration(math.MaxInt32 * time.Second), nil},
		"a time that exceeds 32 bits":                         {JobBlock.Field("max_run_time"), Duration((math.MaxInt32 + 1) * time.Second), []string{"max_run_time must be at most 24855d3h14m7s, but is 24855d3h14m8s."}},
		"an optional number that is not set":                  {completion, (*int)(nil), nil},
		"an optional number within its bounds":                {completion, &two, nil},
		"an optional number below its bound":                  {completion, &minusTwo, []string{"min_failed_instances must be at least -1, but is -2."}},
		"a name with a blank":                                 {name, "my job", []string{`name must be one or more letters, digits, hyphens or underscores, but is "my job".`}},
		"every key and every value of a map":                  {ports, map[string]int{"a": 0, "b-c": 1, "d": 1}, []string{`ports["a"] must be at least 1, but is 0.`, `A key of ports must be a name of letters, digits and underscores that does not begin with a digit, but is "b-c".`}},
		"a number of ports above the bound":                   {ports, map[string]int{"a": 25000, "b": 25001}, []string{`ports["b"] must be at most 25000, but is 25001.`}},
		"a digest that is too short":                          {fetchBlock.Field("sha256"), "ab", []string{`sha256 must be a string that matches ^[0-9a-fA-F]{64}$, but is "ab".`}},
		"an optional string without rules":                    {templateVariableBlock.Field("default"), &text, nil},
		"a list that must not be empty":                       {TaskRoleBlock.Field("commands"), []string{}, []string{"commands must not be an empty list."}},
		"an empty list that is equivalent to an omitted list": {deploymentTaskRoleBlock.Field("pre_commands"), []string{}, nil},
		"a type without rules is not checked":                 {JobBlock.Field("parameters"), map[string]any{"a b": 1}, nil},
	}
	for sentence, c := range cases {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range CheckField(c.field, c.value, "x", nil) {
				got = append(got, d.Detail)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckFieldPointsAtTheElement(t *testing.T) {
	t.Parallel()
	at := func(line int) hcl.Range {
		return hcl.Range{Filename: "f", Start: hcl.Pos{Line: line}, End: hcl.Pos{Line: line}}
	}
	sources := SourceMap{"ports": at(1), Path("ports").Key("b"): at(3)}
	diags := CheckField(resourcesBlock.Field("ports"), map[string]int{"a": 0, "b": 0}, "ports", sources)
	if len(diags) != 2 || diags[0].Subject.Start.Line != 1 || diags[1].Subject.Start.Line != 3 {
		t.Errorf("diagnostics are at the wrong places: %v", diags)
	}
}
