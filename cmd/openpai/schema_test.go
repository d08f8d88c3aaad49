// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// exitInvalid is the exit code of a command whose JSON does not match its schema.
const exitInvalid = 70

// checked replaces main in scripts. It checks the --json output of a command against
// the schema.
func checked() {
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	args := os.Args[1:]
	if !slices.Contains(args, "--json") {
		main()
		return
	}
	printed := &bytes.Buffer{}
	code := tee(printed, func() int { return cli.Main(args, cli.SystemStreams(), version) })
	if err := checkJSON(args, printed.Bytes()); err != nil {
		fmt.Fprintln(os.Stderr, "openpai", strings.Join(args, " ")+":", err)
		code = exitInvalid
	}
	os.Exit(code)
}

// tee calls run and copies its standard output to a second writer.
func tee(to io.Writer, run func() int) (code int) {
	out := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	os.Stdout = w
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(io.MultiWriter(out, to), r)
	}()
	code = run()
	_ = w.Close()
	<-copied
	os.Stdout = out
	return code
}

// outputOf maps each command to the name of its output schema.
var outputOf = map[string]string{
	"plan": "plan", "show": "plan", "status": "status", "lock": "lock", "graph": "graph", "version": "version", "drift": "drift", "validate": "diagnostics",
	"marketplace list": "items", "marketplace search": "items", "marketplace show": "item", "cluster check": "checks",
	"adopt": "results", "release": "results", "repair": "results", "gc": "results", "fmt": "results", "import": "results",
	"marketplace use": "results", "marketplace publish": "results", "cluster push-runtime": "results",
	"init": "lock-changes", "events": "cluster-events", "export": "export",
	"policy test": "policy-tests", "du": "disk-use",
	"runs": "runs", "runs show": "run", "runs diff": "run-diff", "runs rm": "results", "runs verify": "results",
}

// printEvents lists the commands that print one event per line.
var printEvents = []string{"apply", "run", "wait", "logs", "stop", "destroy", "runs repeat", "runs logs"}

func checkJSON(args []string, printed []byte) error {
	if slices.Contains(printEvents, args[0]) || len(args) > 1 && slices.Contains(printEvents, args[0]+" "+args[1]) {
		for line := range bytes.Lines(printed) {
			if err := matches("event", line); err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
		}
		return nil
	}
	name, known := outputOf[args[0]]
	if len(args) > 1 && outputOf[args[0]+" "+args[1]] != "" {
		name, known = outputOf[args[0]+" "+args[1]], true
	}
	if !known {
		name = "diagnostics"
	}
	if name == "lock" && (slices.Contains(args, "--update") || slices.Contains(args, "--prune")) {
		name = "lock-changes"
	}
	err := matches(name, printed)
	if err != nil && matches("diagnostics", printed) == nil {
		return nil
	}
	return err
}

// TestEveryCommandIsInTheScriptOfErrors checks that json_errors runs every command
// that accepts --json.
func TestEveryCommandIsInTheScriptOfErrors(t *testing.T) {
	t.Parallel()
	reference, err := os.ReadFile("../../docs/guides/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/script/json_errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	sections, commands := strings.Split(string(reference), "\n## openpai "), 0
	for _, section := range sections[1:] {
		command, _, _ := strings.Cut(section, "\n")
		if !strings.Contains(section, "| `--json` |") {
			continue
		}
		commands++
		if !strings.Contains(string(script), " openpai "+command+" --json --no-such\n") {
			t.Errorf("the script json_errors lacks %q", command)
		}
	}
	if commands < 40 {
		t.Errorf("only %d commands in the reference accept --json", commands)
	}
}

// documentOfFailure lists commands that print their own document even if they fail.
var documentOfFailure = []string{"cluster check"}

// TestEveryOutputIsInAScript checks that a script successfully runs each command of
// outputOf and printEvents with --json. In scripts, the function checked replaces
// main and validates the output against its schema.
func TestEveryOutputIsInAScript(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, command := range slices.Concat(slices.Sorted(maps.Keys(outputOf)), printEvents) {
		succeeds := `exec`
		if slices.Contains(documentOfFailure, command) {
			succeeds = `(exec|exits 1)`
		}
		if command == "cluster push-runtime" {
			continue // needs a registry: TestPushRuntimeMatchesItsSchema
		}
		line := regexp.MustCompile(`(?m)^` + succeeds + ` openpai ` + command + `( [^\n]*)? --json( |$)`)
		if !line.MatchString(all.String()) {
			t.Errorf("no script runs openpai %s --json successfully", command)
		}
	}
}

func matches(output string, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("not one JSON document: %w: %q", err, text)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(document.StrictSchema(output)))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", schema); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}
