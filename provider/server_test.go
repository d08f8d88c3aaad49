package provider

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// answer is an answer of a server in words.
type answer struct {
	State, Findings string
	Replace         []string
	Private         privateState
	Identity        string
}

func (i *instance) planAnswer(resp *tfprotov6.PlanResourceChangeResponse, err error) answer {
	i.tf.t.Helper()
	if err != nil {
		i.tf.t.Fatal(err)
	}
	a := answer{State: i.decode(resp.PlannedState).String(), Findings: findings(resp.Diagnostics), Private: readPrivate(resp.PlannedPrivate)}
	for _, p := range resp.RequiresReplace {
		a.Replace = append(a.Replace, p.String())
	}
	return a
}

func TestAJobIsPlannedAsByThePluginFramework(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir)
	changed := func(more ...tree) tree { return job([]string{"sleep 1000"}, append([]tree{config}, more...)...) }
	tests := map[string]struct {
		prior  tftypes.Value
		config tree
	}{
		"a new job":                       {i.null(), job([]string{"true"}, tree{"name": "other"})},
		"a new job with an unknown value": {i.null(), job([]string{"true"}, tree{"name": "other", "environment": tree{"A": unknown{}}})},
		"a new job without a known name":  {i.null(), job([]string{"true"}, tree{"name": unknown{}})},
		"a new job with secrets":          {i.null(), job([]string{"echo <% $secrets.a %>"}, tree{"name": "other", "secrets_wo": tree{"a": "x"}})},
		"mistakes at two places":          {i.null(), worker(job([]string{"<% $secrets.a %>"}, tree{"wait_for": "never"}), tree{"instances": 0})},
		"no change":                       {i.state, config},
		"a change in place":               {i.state, changed(tree{"description": "again"})},
		"a change that replaces":          {i.state, changed(tree{"environment": tree{"A": "1"}})},
		"another name":                    {i.state, changed(tree{"name": "other"})},
		"the end":                         {i.state, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := i.tf.server.(*server)
			req := func() *tfprotov6.PlanResourceChangeRequest {
				config, proposed := i.null(), i.null()
				if tt.config != nil {
					config = i.tf.value(tt.config, i.typ)
					proposed = i.proposed(config, tt.prior)
				}
				r := &tfprotov6.PlanResourceChangeRequest{
					TypeName: i.name, PriorState: i.tf.encode(tt.prior), ProposedNewState: i.tf.encode(proposed), Config: i.tf.encode(config),
				}
				if !tt.prior.IsNull() {
					r.PriorPrivate, r.PriorIdentity = i.private, i.identity
				}
				return r
			}
			want := i.planAnswer(s.frameworkServer.PlanResourceChange(t.Context(), req()))
			got := i.planAnswer(s.planJob(t.Context(), req()))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-framework +served)\n%s", diff)
			}
		})
	}
}

func TestAJobIsAppliedAsByThePluginFramework(t *testing.T) {
	t.Parallel()
	tests := map[string]tree{
		"a job that ends":      job([]string{"true"}, tree{"wait_for": "completed", "stop_grace": "1s"}),
		"a job that fails":     job([]string{"exit 3"}, tree{"wait_for": "completed"}),
		"a job with a mistake": worker(job([]string{"true"}), tree{"instances": 0}),
	}
	for name, config := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			served, framework := start(t, t.TempDir()).resource("openpai_job"), start(t, t.TempDir()).resource("openpai_job")
			want := framework.created(config, framework.tf.server.(*server).frameworkServer)
			got := served.created(config, served.tf.server)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-framework +served)\n%s", diff)
			}
		})
	}
}

// created plans and creates a job by a server.
func (i *instance) created(config tree, by tfprotov6.ProviderServer) answer {
	i.tf.t.Helper()
	value := i.tf.value(config, i.typ)
	plan, err := by.PlanResourceChange(i.tf.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: i.name, PriorState: i.tf.encode(i.null()), ProposedNewState: i.tf.encode(i.proposed(value, i.null())), Config: i.tf.encode(value),
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	resp, err := by.ApplyResourceChange(i.tf.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: i.name, PriorState: i.tf.encode(i.null()), PlannedState: plan.PlannedState, Config: i.tf.encode(value), PlannedPrivate: plan.PlannedPrivate,
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	a := answer{State: i.decode(resp.NewState).String(), Findings: findings(resp.Diagnostics), Private: readPrivate(resp.Private)}
	delete(a.Private, memoryKey) // holds the UID of the Framework
	if !i.decode(resp.NewState).IsNull() {
		identity, err := resp.NewIdentity.IdentityData.Unmarshal(identityOf("", "").Type())
		if err != nil {
			i.tf.t.Fatal(err)
		}
		a.Identity = identity.String()
	}
	return a
}

// The server plans jobs without the plugin framework, which would ask for
// these.
func TestTheSchemaOfJobsAsksForNothingThatIsNotServed(t *testing.T) {
	var walk func(at string, attributes map[string]schema.Attribute)
	walk = func(at string, attributes map[string]schema.Attribute) {
		for name, a := range attributes {
			v := reflect.ValueOf(a)
			for _, field := range []string{"PlanModifiers", "Default", "CustomType"} {
				if f := v.FieldByName(field); f.IsValid() && !f.IsZero() {
					t.Errorf("%s%s has a %s", at, name, field)
				}
			}
			if a.IsComputed() != (at == "" && jobComputed[name] != nil) {
				t.Errorf("%s%s is computed, but not in jobComputed", at, name)
			}
			if a.IsWriteOnly() != (at == "" && name == "secrets_wo") {
				t.Errorf("%s%s is write-only", at, name)
			}
			switch a := a.(type) {
			case schema.SingleNestedAttribute:
				walk(at+name+".", a.Attributes)
			case schema.ListNestedAttribute:
				walk(at+name+".", a.NestedObject.Attributes)
			case schema.MapNestedAttribute:
				walk(at+name+".", a.NestedObject.Attributes)
			}
		}
	}
	walk("", schemaOfJob().Attributes)
}
