// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestTheLogExplainsTheExitCode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		exit int
		line string
		want int
	}{
		"bash finds no command":                         {127, "run.sh: line 3: nvidia-smo: command not found", 220},
		"dash finds no command":                         {127, "sh: 1: nvidia-smo: not found", 220},
		"the text without the code":                     {1, "make: cc: command not found", 255},
		"tensorflow 2 out of memory":                    {1, "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:", 221},
		"the allocator gives up":                        {1, "W bfc_allocator.cc:479] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB", 221},
		"the allocator tries again":                     {1, "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2GiB. The caller indicates that this is not a failure", 255},
		"mpi reports an invalid address":                {1, "[node:01] Signal code: Address not mapped (1)", 222},
		"cuda reports ecc":                              {1, "RuntimeError: CUDA error: uncorrectable ECC error encountered", 223},
		"the driver is too old":                         {1, "RuntimeError: CUDA driver version is insufficient for CUDA runtime version", 224},
		"cudnn does not fit":                            {1, "Loaded runtime CuDNN library: 8.0.5 but source was compiled with: 8.1.0.", 225},
		"old pytorch out of gpu memory":                 {1, "RuntimeError: cuda runtime error (2) : out of memory at THCStorage.cu:58", 226},
		"pytorch out of gpu memory":                     {1, "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB", 226},
		"new pytorch out of gpu memory":                 {1, "torch.OutOfMemoryError: CUDA out of memory.", 226},
		"a program does not have the option":            {2, "tar: unknown option -- z", 228},
		"the old rnn error":                             {1, "TypeError: dynamic_rnn() got an unexpected keyword argument 'x'", 228},
		"argparse refuses":                              {2, "train.py: error: unrecognized arguments: --epoch 3", 228},
		"argparse misses one":                           {2, "train.py: error: the following arguments are required: --data", 228},
		"a file is missing":                             {1, "FileNotFoundError: [Errno 2] No such file or directory: 'x.csv'", 229},
		"a string cannot be decoded":                    {1, "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0", 229},
		"a disk fails":                                  {1, "cp: error reading '/mnt/a': Input/output error", 229},
		"an invalid checkpoint path":                    {1, "ValueError: The passed save_path is not a valid checkpoint: /x", 230},
		"a syntax error":                                {1, "SyntaxError: invalid syntax. Perhaps you forgot a comma?", 231},
		"an attribute is missing":                       {1, "AttributeError: module 'numpy' has no attribute 'bool'", 231},
		"a module is missing":                           {1, "ModuleNotFoundError: No module named 'torch'", 232},
		"a module of one rank is missing":               {1, "[rank0]: ImportError: libcudart.so.11.0: cannot open shared object file", 232},
		"an index is out of range":                      {1, "IndexError: list index out of range", 233},
		"an index is out of bounds":                     {1, "IndexError: index 3 is out of bounds for axis 0 with size 3", 233},
		"a child crashed":                               {1, "./run.sh: line 1: 12 Segmentation fault", 234},
		"a child dumped core":                           {1, "./run.sh: line 1: 12 Aborted (core dumped)", 235},
		"nccl lost a communicator":                      {1, "RuntimeError: NCCL communicator was aborted on rank 1.", 236},
		"nccl lost a connection":                        {1, "node:12:34 [0] NCCL WARN Net : Call to recv from 10.0.0.1<4000> failed : Connection refused", 236},
		"a warning of nccl":                             {1, "node:12:34 [0] NCCL WARN NET/IB : No device found.", 255},
		"capitals do not matter":                        {1, "CUDA OUT OF MEMORY", 226},
		"colors do not matter":                          {1, "\x1b[31mImportError: no\x1b[0m", 232},
		"nothing is recognized":                         {1, "something else", 255},
		"the name of an exception alone is not a match": {1, "see the chapter on ImportError handling", 255},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := Analyze(Input{ExitCode: tt.exit, UserLog: []byte("epoch 1\n" + tt.line + "\nbye\n")})
			if m.Entry.Code != tt.want || m.Code != tt.want {
				t.Errorf("entry %d, code %d; want %d", m.Entry.Code, m.Code, tt.want)
			}
			if tt.want != 255 && !strings.Contains(tt.line, strings.TrimSpace(m.UserLine)) && !strings.Contains(tt.line, "\x1b") {
				t.Errorf("line %q, want %q", m.UserLine, tt.line)
			}
		})
	}
}

func TestAnalyzeMapsExitsAndPodStatesToCodes(t *testing.T) {
	t.Parallel()
	container := func(name, reason, message string, exit int) *PodState {
		return &PodState{Containers: []ContainerState{{Name: name, Reason: reason, Message: message, ExitCode: exit}}}
	}
	tests := map[string]struct {
		in    Input
		entry int
		code  int
	}{
		"success, regardless of the log":                         {Input{UserLog: []byte("SyntaxError: x\n")}, 0, 0},
		"a user-defined code":                                    {Input{ExitCode: 7}, 255, 255},
		"a code of the runtime that the user's commands return":  {Input{ExitCode: 251}, 255, 255},
		"the engine never receives 200 from the user's commands": {Input{ExitCode: 200}, 255, 255},
		"SIGTERM that the runtime forwarded":                     {Input{ExitCode: 143, Forwarded: true}, 143, 143},
		"143 from the user's commands is not transient":          {Input{ExitCode: 143}, 255, 255},
		"SIGKILL after the grace period":                         {Input{ExitCode: 137, Forwarded: true}, 137, 137},
		"137 from the user's commands is not transient":          {Input{ExitCode: 137}, 255, 255},
		"130 from the user's commands is not transient":          {Input{ExitCode: 130}, 255, 255},
		"131 from the user's commands is not transient":          {Input{ExitCode: 131}, 255, 255},
		"a killed process after the memory ran out":              {Input{ExitCode: 137, OOMKilled: true}, -1200, 255},
		"SIGSEGV": {Input{ExitCode: 139, UserLog: []byte("Segmentation fault\n")}, 139, 139},
		"SIGABRT": {Input{ExitCode: 134}, 134, 134},
		"SIGILL":  {Input{ExitCode: 132}, 132, 132},
		"SIGBUS":  {Input{ExitCode: 135}, 135, 135},
		"SIGFPE":  {Input{ExitCode: 136}, 136, 136},
		"SIGPIPE": {Input{ExitCode: 141}, 141, 141},
		"a syntax error on a node with a broken GPU":            {Input{ExitCode: 1, ECC: true, UserLog: []byte("SyntaxError: invalid\n")}, 231, 231},
		"only a broken GPU":                                     {Input{ExitCode: 1, ECC: true}, 128, 128},
		"the ssh barrier timed out":                             {Input{ExitCode: 10, RuntimeLog: []byte("[x] [openpai-runtime] SSH barrier reaches max retry count\n")}, 249, 249},
		"exit 10 without the ssh barrier":                       {Input{ExitCode: 10}, 255, 255},
		"an evicted Pod":                                        {Input{Pod: &PodState{Reason: "Evicted"}}, -1000, 255},
		"a Pod on a node without room":                          {Input{Pod: &PodState{Reason: "OutOfcpu"}}, -1002, 255},
		"a Pod past its deadline":                               {Input{Pod: &PodState{Reason: "DeadlineExceeded"}}, -1004, 255},
		"a Pod that the node did not admit":                     {Input{Pod: &PodState{Reason: "UnexpectedAdmissionError"}}, -1006, 255},
		"the init container out of memory":                      {Input{Pod: container("init", "OOMKilled", "", 137)}, -1300, 255},
		"the app container out of memory":                       {Input{Pod: container("app", "OOMKilled", "", 137)}, -1200, 255},
		"a missing GPU is reported as missing":                  {Input{Pod: container("app", "ContainerCannotRun", "nvidia-container-cli: device error: unknown device id: 3", 128)}, -1205, 255},
		"a program that is not found":                           {Input{Pod: container("app", "StartError", "exec: \"x\": no such file or directory", 128)}, -1203, 255},
		"a program that is not executable":                      {Input{Pod: container("app", "ContainerCannotRun", "", 126)}, -1202, 255},
		"a container that fails to start for an unknown reason": {Input{Pod: container("app", "ContainerCannotRun", "?", 128)}, -1204, 255},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := Analyze(tt.in)
			if m.Entry.Code != tt.entry || m.Code != tt.code {
				t.Errorf("entry %d and code %d, want %d and %d", m.Entry.Code, m.Code, tt.entry, tt.code)
			}
		})
	}
}

// TestEveryLogEntryCanBeChosen checks that no entry hides a later entry. In
// OpenPAI's specification, some entries hide later entries.
func TestEveryLogEntryCanBeChosen(t *testing.T) {
	t.Parallel()
	lines := map[int]string{
		220: "x: command not found", 221: "OOM when allocating tensor with shape", 222: "Signal code: Address not mapped", 223: "CUDA_ERROR_ECC_UNCORRECTABLE",
		224: "CUDA driver version is insufficient for CUDA runtime version", 225: "Dropout supported only in cuDNN v 5.1", 226: "CUDA error: out of memory",
		228: "bad argument #2 to 'x'", 229: "unknown text header", 230: "Restore called with invalid save path", 231: "UnpicklingError", 232: "ImportError: x",
		233: "IndexError: out of range", 234: "segmentation fault", 235: "core dumped", 128: "", 236: "RuntimeError: NCCL error in: NCCLUtils.hpp:219",
		237: "PermissionError: [Errno 13] Permission denied: '/data'", 238: "sh: 1: ./train: Permission denied",
	}
	for _, e := range logEntries {
		in := Input{ExitCode: 1, UserLog: []byte(lines[e.Code]), ECC: e.Code == 128}
		switch e.Code {
		case 220:
			in.ExitCode = 127
		case 238:
			in.ExitCode = 126
		}
		if m := Analyze(in); m.Entry.Code != e.Code {
			t.Errorf("%q gives %d, want %d", lines[e.Code], m.Entry.Code, e.Code)
		}
	}
}

func TestHarmlessTextFarFromTheEndDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"warning: unknown option x", "AttributeError: has no attribute y", "ran out of memory trying to allocate 1GiB"} {
		log := line + "\n" + strings.Repeat("epoch done, loss 0.1\n", 2000)
		if m := Analyze(Input{ExitCode: 7, UserLog: []byte(log)}); m.Entry.Code != CodeUnknown {
			t.Errorf("%q at the start of a long log returns %d", line, m.Entry.Code)
		}
	}
}

func TestDefiniteTextCountsAnywhereInTheWindow(t *testing.T) {
	t.Parallel()
	far := "CUDA_ERROR_ECC_UNCORRECTABLE\n" + strings.Repeat("x\n", 1<<20)
	if m := Analyze(Input{ExitCode: 7, UserLog: []byte(far)}); m.Entry.Code != 223 {
		t.Errorf("entry %d, want 223", m.Entry.Code)
	}
	outside := "CUDA_ERROR_ECC_UNCORRECTABLE\n" + strings.Repeat("x", Window)
	if m := Analyze(Input{ExitCode: 7, UserLog: []byte(outside)}); m.Entry.Code != CodeUnknown {
		t.Errorf("entry %d for a line before the window", m.Entry.Code)
	}
}

func TestManyFalseWordsAndLongLinesStayCheap(t *testing.T) {
	t.Parallel()
	log := strings.Repeat("the file format and ImportError: "[:20], 1<<18) + "\n" + strings.Repeat("file format of x: loaded runtime cudnn library\n", 1<<16)
	if m := Analyze(Input{ExitCode: 1, UserLog: []byte(log)}); m.Entry.Code != CodeUnknown {
		t.Errorf("entry %d, want none", m.Entry.Code)
	}
}

// TestScannerFindsWhatASearchFinds checks that the automaton finds the same words as
// plain string searches.
func TestScannerFindsWhatASearchFinds(t *testing.T) {
	t.Parallel()
	s := userScanner()
	var log bytes.Buffer
	for i, text := range s.patterns {
		for _, w := range text.Words {
			fmt.Fprintf(&log, "%d %s %s%s\n", i, strings.ToUpper(w), w[:len(w)-1], w)
		}
	}
	found := s.scan(log.Bytes())
	lower := strings.ToLower(log.String())
	for _, text := range s.patterns {
		want := 0
		for _, w := range text.Words {
			for at := 0; ; want++ {
				i := strings.Index(lower[at:], w)
				if i < 0 {
					break
				}
				at += i + 1
			}
		}
		if found[text] == nil || found[text].count != want {
			t.Errorf("words %q: found %v, want %d", text.Words, found[text], want)
		}
	}
}

func BenchmarkAnalyze10MiB(b *testing.B) {
	log := bytes.Repeat([]byte("2026-03-01 12:00:00 epoch 12 step 1234 loss 0.1234 error: none, file ok\n"), Window/72)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		Analyze(Input{ExitCode: 1, UserLog: log})
	}
}

func TestAFailureBeforeTheCommandsIsRecognized(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record Record
		want   bool
	}{
		"a failed prerequisite":    {Record{Code: 255, Stage: "prerequisites"}, true},
		"a failed init container":  {Record{Code: 240, Stage: "init"}, true},
		"failed commands":          {Record{Code: 255, Stage: "commands"}, false},
		"a stop during the start":  {Record{Code: 143, Stage: "prerequisites", Stopped: true}, false},
		"success":                  {Record{Stage: "commands"}, false},
		"a record without a stage": {Record{Code: 1}, false},
	} {
		if got := c.record.BeforeCommands(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
