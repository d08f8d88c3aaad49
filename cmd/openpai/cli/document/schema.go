// SPDX-License-Identifier: MPL-2.0

package document

import (
	"maps"
	"reflect"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/jsonschema"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// schemaBase is the prefix of the $id of every schema: the URL of the directory
// cmd/openpai/schema.
const schemaBase = "https://raw.githubusercontent.com/openpai/terraform-provider-openpai/main/cmd/openpai/schema/"

// output describes a kind of output that has a schema.
type output struct {
	title string
	// commands lists the commands that print the output.
	commands string
	types    []reflect.Type
}

// outputs maps the name of each kind of output to its description.
var outputs = map[string]output{
	"plan":        {"Plan", "plan, show", typesOf[view.PlanDocument]()},
	"diagnostics": {"Diagnostics", "validate, marketplace validate; errors of any command", typesOf[view.DiagnosticsDocument]()},
	"status":      {"Status", "status", typesOf[Status]()},
	"lock":        {"Lock file", "lock", typesOf[Lock]()},
	"items":       {"Items", "marketplace list, marketplace search", typesOf[Items]()},
	"item":        {"Item", "marketplace show", typesOf[Item]()},
	"graph":       {"Graph", "graph", typesOf[Graph]()},
	"checks":      {"Checks", "cluster check", typesOf[Checks]()},
	"event": {"Event", "one per line: apply, run, wait, logs, stop, destroy, runs repeat, runs logs", []reflect.Type{
		reflect.TypeFor[PlanEvent](), reflect.TypeFor[SubmittedEvent](), reflect.TypeFor[StageEvent](), reflect.TypeFor[LogEvent](),
		reflect.TypeFor[FinishedEvent](), reflect.TypeFor[DiagnosticEvent](), reflect.TypeFor[SummaryEvent](),
	}},
	"drift":          {"Drift", "drift", typesOf[Drift]()},
	"runs":           {"Runs", "runs", typesOf[Runs]()},
	"run":            {"Run", "runs show", typesOf[Run]()},
	"run-diff":       {"Difference of runs", "runs diff", typesOf[RunDifference]()},
	"run-record":     {"Run record", "the files of openpai.run_records", typesOf[history.Run]()},
	"results":        {"Results", "adopt, release, repair, gc, fmt, import, marketplace use, marketplace publish, cluster push-runtime, runs rm, runs verify", typesOf[Results]()},
	"lock-changes":   {"Changes to the lock file", "init, lock --update, lock --prune", typesOf[LockChanges]()},
	"cluster-events": {"Cluster events", "events", typesOf[ClusterEvents]()},
	"export":         {"Export", "export", typesOf[Export]()},
	"disk-use":       {"Disk use", "du", typesOf[DiskUse]()},
	"policy-tests":   {"Policy tests", "policy test", typesOf[PolicyTests]()},
	"version":        {"Version", "version", typesOf[Version]()},
}

func typesOf[T any]() []reflect.Type { return []reflect.Type{reflect.TypeFor[T]()} }

// Names returns the sorted names of the outputs that have a schema.
func Names() []string { return slices.Sorted(maps.Keys(outputs)) }

// Commands returns the commands that print an output.
func Commands(name string) string { return outputs[name].commands }

// FileName returns the name of an output's schema file in cmd/openpai/schema.
func FileName(name string) string { return name + ".schema.json" }

// Schema returns the JSON Schema of an output.
func Schema(name string) []byte { return write(name, false) }

// StrictSchema returns a schema that rejects undeclared fields. Use it only in tests,
// because later versions may add fields.
func StrictSchema(name string) []byte { return write(name, true) }

func write(name string, closed bool) []byte {
	o := outputs[name]
	return jsonschema.Write(jsonschema.Document{
		ID: schemaBase + FileName(name), Title: o.title, Description: "Printed with --json by: " + o.commands + ".", Types: o.types, Enums: enums, Names: typeNames, Closed: closed,
	})
}

// enums lists the values of enumerated types.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[planner.Action]():      {string(planner.NoOp), string(planner.Create), string(planner.Update), string(planner.Replace), string(planner.Delete)},
	reflect.TypeFor[planner.JobState]():    names(planner.JobStates()),
	reflect.TypeFor[RunState]():            append(names(planner.JobStates()), string(RunDeleted)),
	reflect.TypeFor[planner.SecretState](): {string(planner.SecretUnchanged), string(planner.SecretChanged), string(planner.SecretNew), string(planner.SecretNotChecked)},
	reflect.TypeFor[planner.DriftKind]():   {string(planner.DriftChanged), string(planner.DriftMissing), string(planner.DriftForeign)},
	reflect.TypeFor[planner.CauseKind]():   {string(planner.CauseChanged), string(planner.CauseAdded), string(planner.CauseRemoved)},
	reflect.TypeFor[hclspec.Effect]():      {string(hclspec.EffectNone), string(hclspec.EffectInPlace), string(hclspec.EffectReplace)},
	reflect.TypeFor[view.Severity]():       {string(view.SeverityError), string(view.SeverityWarning)},
	reflect.TypeFor[cluster.Result]():      {string(cluster.ResultOK), string(cluster.ResultWarning), string(cluster.ResultMissing), string(cluster.ResultUnknown)},
	reflect.TypeFor[stage.Name]():          {string(stage.Scheduling), string(stage.Preparing), string(stage.Fetching), string(stage.Prerequisite), string(stage.Commands), string(stage.Ending), string(stage.Held)},
	reflect.TypeFor[resolve.Kind](): {
		string(resolve.KindJob), string(resolve.KindTaskRole), string(resolve.KindPrerequisite), string(resolve.KindPlugin), string(resolve.KindImage),
		string(resolve.KindStorage), string(resolve.KindSecret),
	},
}

// typeNames defines names for the types whose Go names are ambiguous.
var typeNames = map[reflect.Type]string{
	reflect.TypeFor[stage.Record]():     "stage",
	reflect.TypeFor[exitspec.Record]():  "exit",
	reflect.TypeFor[cluster.TaskRole](): "taskRoleStatus",
	reflect.TypeFor[cluster.Task]():     "taskStatus",
}

func names[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, one := range all {
		out[i] = string(one)
	}
	return out
}
