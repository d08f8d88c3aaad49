// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// greet implements greet PORT TEXT: it responds to every HTTP request on PORT with
// TEXT.
func greet() {
	err := http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, os.Args[2])
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// cmdForward implements forward [-stop] WANT DIR ARGUMENT...: it runs openpai forward
// until the printed address responds with WANT. Then it interrupts openpai forward.
// With -stop, it stops the job instead. Either action must end openpai forward.
func cmdForward(ts *testscript.TestScript, neg bool, args []string) {
	end := len(args) > 0 && args[0] == "-stop"
	if end {
		args = args[1:]
	}
	if neg || len(args) < 3 {
		ts.Fatalf("usage: forward [-stop] WANT DIR ARGUMENT...")
	}
	program, err := exec.LookPath("openpai")
	ts.Check(err)
	var problems strings.Builder
	cmd := exec.Command(program, append([]string{"forward"}, args[1:]...)...)
	cmd.Dir, cmd.Stderr = ts.MkAbs("."), &problems
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	url, _, found := strings.Cut(line, " forwards to port ")
	if err != nil || !found || !strings.HasPrefix(url, "http://127.0.0.1:") {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		ts.Fatalf("printed %q, %v\n%s", line, err, problems.String())
	}
	got := ""
	for deadline := time.Now().Add(patience); got != args[0] && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if r, err := http.Get(url); err == nil {
			text, _ := io.ReadAll(r.Body)
			_ = r.Body.Close()
			got = strings.TrimSpace(string(text))
		}
	}
	code := 130
	if end {
		code = 0
		ts.Check(ts.Exec("openpai", "stop", args[1]))
	} else {
		ts.Check(cmd.Process.Signal(syscall.SIGINT))
	}
	err = cmd.Wait()
	if got != args[0] {
		ts.Fatalf("the task answered %q\n%s", got, problems.String())
	}
	if cmd.ProcessState.ExitCode() != code {
		ts.Fatalf("%v, want exit code %d\n%s", err, code, problems.String())
	}
}
