// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// In OpenPAI's original runtime, exit code 255 has two meanings. In this runtime,
// the message for every failure contains error markers.
func TestEveryFailureOfTheRuntimeIsMarked(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(r *rig){
		"exit code 255 of the user's commands": func(r *rig) { r.spec.Commands = []string{"exit 255"} },
		"an end callback":                      func(r *rig) { r.step("a", on("taskSucceeds", "exit 9")) },
		"a start callback":                     func(r *rig) { r.step("a", on("taskStarts", "exit 9")) },
		"no shell":                             func(r *rig) { r.config.shell.path = "/nowhere/sh" },
		"a missing secret":                     func(r *rig) { r.spec.Secrets = []string{"none"} },
		"a gang without barrier":               func(r *rig) { r.spec.Gang = true },
		"a stop": func(r *rig) {
			r.spec.Commands = []string{"sleep 60"} // without the signal, the commands succeed
			r.signals <- syscall.SIGTERM
		},
	} {
		r := newRig(t, "true")
		change(r)
		record := r.run()
		message := r.read("termination")
		if record.Code == 0 || !strings.HasPrefix(message, "[PAI_RUNTIME_ERROR_START]\nexitCode: ") || !strings.HasSuffix(message, "[PAI_RUNTIME_ERROR_END]\n") || len(message) > 4096 {
			t.Errorf("%s: code %d, message\n%s", name, record.Code, message)
		}
	}
}

// FrameworkController deletes the Pod of every finished task, together with the
// log.
func TestASuccessLeavesItsLastLinesInTheTerminationMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo accuracy 0.93", "echo done")
	r.config.used = func() (float64, int64) { return 0.25, 4096 }
	r.run()
	want := "[PAI_RUNTIME_ERROR_START]\nexitCode: 0\noriginUserExitCode: 0\nstartedAt: TIME\nfinishedAt: TIME\nreason: \"the task succeeded\"\nstage: \"commands\"\ncpuSeconds: 0.25\npeakMemoryBytes: 4096\nerrorLogs:\n  user: |2-\n    accuracy 0.93\n    done\n[PAI_RUNTIME_ERROR_END]\n"
	if got := regexp.MustCompile(`"\d{4}-.*Z"`).ReplaceAllString(r.read("termination"), "TIME"); got != want {
		t.Errorf("message\n%s\nwant\n%s", got, want)
	}
}

// The runtime inserts secrets unchanged. OpenPAI's original runtime renders
// references as HTML and YAML text.
func TestSecretsAreFilledInWithoutEscaping(t *testing.T) {
	t.Parallel()
	value := `a & <b> "c" 'd' \e ${x} {{ y }} # z: [1]`
	r := newRig(t, "cat >out <<'END'", "<% $secrets.list[0] %>", "END")
	r.secret("list.0", value)
	r.run()
	if got := r.read("work/out"); got != value+"\n" {
		t.Errorf("%q, want %q", got, value)
	}
}

// OpenPAI's original runtime syncs all disks of the node. This runtime must sync
// only its own files.
func TestNothingFlushesTheWholeNode(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := s.X.(*ast.Ident); ok && (pkg.Name == "unix" || pkg.Name == "syscall") && (s.Sel.Name == "Sync" || s.Sel.Name == "Syncfs") {
					t.Errorf("%s calls %s.%s", name, pkg.Name, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// The runtime itself rotates logs, and the analysis also reads the rotated file.
func TestTheCauseIsFoundInARotatedLog(t *testing.T) {
	t.Parallel()
	r := newRig(t, "exit 1")
	dir := filepath.Join(r.config.LogDir, "user-all")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "@4000000000000000000000ff.s"), []byte("step 1\nRuntimeError: CUDA out of memory. Tried to allocate\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if record := r.run(); record.Code != 226 {
		t.Errorf("record %+v", record)
	}
}

// The runtime checks the GPU for memory errors only after a failure, so that
// successful tasks are not delayed.
func TestMemoryErrorsOfGPUsAreRecognized(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		code   int
		log    string
	}{
		"an old driver":         {"cat <<'END'\n" + smi("<double_bit><device_memory>2</device_memory><total>2</total></double_bit>") + "END", 128, "GPU 00000000:3B:00.0 (Tesla V100-SXM2-32GB) reports 2 memory errors"},
		"a new driver":          {"cat <<'END'\n" + smi("<sram_correctable>4</sram_correctable><sram_uncorrectable_parity>0</sram_uncorrectable_parity><sram_uncorrectable_secded>1</sram_uncorrectable_secded><dram_uncorrectable>2</dram_uncorrectable>") + "END", 128, "reports 3 memory errors"},
		"no errors":             {"cat <<'END'\n" + smi("<double_bit><total>0</total></double_bit>") + "END", 255, ""},
		"a GPU without counter": {"cat <<'END'\n" + smi("<double_bit><total>N/A</total></double_bit>") + "END", 255, ""},
		"a failure":             {"exit 9", 255, "nvidia-smi does not report data about the GPUs: it exited with code 9"},
		"rubbish":               {"echo no", 255, "cannot be parsed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "exit 1")
			if err := os.WriteFile(filepath.Join(r.dir, "nvidia-smi"), []byte("#!/bin/sh\n[ \"$*\" = '-q -x' ] || exit 8\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			r.config.Environ = []string{"PATH=" + r.dir + ":" + os.Getenv("PATH")}
			if record := r.run(); record.Code != c.code || !strings.Contains(r.log(), c.log) {
				t.Errorf("code %d, log\n%s", record.Code, r.log())
			}
			if message := r.read("termination"); (c.code == 128) != strings.Contains(message, "matchedGpuInfo:\n  nvidiaDoubleEccError: true\n") {
				t.Errorf("message\n%s", message)
			}
		})
	}
}

// smi returns abbreviated output of nvidia-smi -q -x.
func smi(volatile string) string {
	return `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v11.dtd">
<nvidia_smi_log>
	<driver_version>470.57.02</driver_version>
	<gpu id="00000000:3B:00.0">
		<product_name>Tesla V100-SXM2-32GB</product_name>
		<ecc_errors>
			<volatile>` + volatile + `</volatile>
			<aggregate><double_bit><total>77</total></double_bit></aggregate>
		</ecc_errors>
	</gpu>
</nvidia_smi_log>
`
}

func TestAnErrorInTheRuntimeItselfIsRecorded(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace")
	r.step("a", on("taskStarts", "sleep 1000 &"))
	calls := 0
	r.config.oomKills = func() int {
		if calls++; calls > 1 {
			panic("a test of this")
		}
		return 0
	}
	record := r.run()
	if record.Code != exitspec.CodeUnknown || record.Stage != "commands" || !strings.Contains(record.Reason, "an error in the runtime: a test of this") {
		t.Errorf("record %+v", record)
	}
	if log := r.log(); !strings.Contains(log, "[ERROR] an error in the runtime: a test of this") || !strings.Contains(log, "runtime.(*task).commands") {
		t.Errorf("log\n%s", log)
	}
	if message := r.read("termination"); !strings.Contains(message, "a test of this") {
		t.Errorf("message\n%s", message)
	}
}

// TestAKillForMemoryIsRecognized checks that the runtime recognizes a kill for
// memory. The kernel kills the process that uses the memory, which is rarely
// the shell.
func TestAKillForMemoryIsRecognized(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command string
		kills   int
		want    string
	}{
		"the shell was killed":                         {"kill -9 $$", 1, "UserContainerDockerOOMKilled"},
		"a program was killed":                         {"sh -c 'kill -9 $$'; true", 1, "UserContainerDockerOOMKilled"},
		"a program in a pipeline was killed":           {"sh -c 'kill -9 $$' | cat", 1, "UserContainerDockerOOMKilled"},
		"a program that was killed for another reason": {"sh -c 'kill -9 $$'; true", 0, "PAIRuntimeUnknownFailed"},
		"another failure after a kill":                 {"exit 3", 1, "PAIRuntimeUnknownFailed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.command)
			killed := 0
			r.config.oomKills = func() int { defer func() { killed += c.kills }(); return 7 + killed }
			record := r.run()
			if record.Phrase != c.want || strings.Contains(record.Reason, "memory") != (c.want == "UserContainerDockerOOMKilled") {
				t.Errorf("record %+v", record)
			}
		})
	}
}

// The runtime uses data from init only in the attempt for which init prepared
// it.
func TestWhatInitPreparedIsUsed(t *testing.T) {
	t.Parallel()
	r := newRig(t, `echo "$PAI_HOST_IP_worker_0 $PAI_TASK_ROLE_worker_HOST_LIST $PAI_WORK_DIR"`)
	r.spec.Gang = true
	r.config.Self = runspec.Host{}
	hosts := &runspec.Hosts{Tasks: []runspec.Host{{Role: "worker", IP: "10.0.0.9", HostIP: "10.0.0.9", Ports: map[string][]int{"http": {8080}}}}}
	prepared := r.config
	prepared.WorkDir = "/of/the/init/container"
	if err := os.MkdirAll(r.config.Root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(prepared, hosts); err != nil {
		t.Fatal(err)
	}
	if r.run(); r.output() != "10.0.0.9 10.0.0.9:8080 "+r.config.WorkDir+"\n" {
		t.Errorf("output %q\n%s", r.output(), r.log())
	}
	r.config.Attempt++
	if record := r.run(); record.Code != exitspec.CodeBarrierPermanent {
		t.Errorf("another attempt: %+v", record)
	}
}

func TestTheTableOfHostsIsJSON(t *testing.T) {
	t.Parallel()
	hosts := &runspec.Hosts{Tasks: []runspec.Host{
		{Role: "wörker", Index: 3, IP: `a"b`, HostIP: "c<d", Ports: map[string][]int{"ssh": {1}, "http": {2, 3}, "none": {}}}, {Role: "x"},
	}}
	if got, want := string(encodeHosts(hosts)), string(encode(hosts)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(encodeHosts(&runspec.Hosts{})); got != "{\"tasks\":[]}\n" {
		t.Errorf("empty: %s", got)
	}
}

func TestRulesOfTheClusterDecideTheCode(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo license server gone; exit 1")
	if err := os.MkdirAll(filepath.Join(r.config.Root, "runtime.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.config.Root, ExitSpecFile), []byte(`[{"containerExitCode":241,"patterns":[{"userLogRegex":"license .*gone"}]}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	if record := r.run(); record.Code != 241 || record.UserCode != 1 {
		t.Errorf("record %+v", record)
	}
}

func TestAPreparedFileThatSaysNothingIsNotUsed(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo $PAI_JOB_NAME")
	r.config.PodUID = "" // as in the file
	name := filepath.Join(r.config.Root, preparedFile)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if record := r.run(); record.Code != 0 || r.output() != "alice~job\n" {
		t.Errorf("output %q, record %+v", r.output(), record)
	}
}
