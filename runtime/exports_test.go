// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/runtime/exports"
)

// shells returns the local shells that can run scripts.
func shells(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, name := range []string{"bash", "dash", "sh"} {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		t.Fatal("no shell on this machine")
	}
	return found
}

func TestExportsOfEveryShellAreReadBack(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"PLAIN": "text", "EMPTY": "", "LINES": "one\ntwo\n\nfour", "QUOTES": `it's "here"`, "BACKSLASH": `C:\new\`, "DOLLAR": "$HOME `x` ${Y}",
		"CONTROL": "\x01\x02\t\x7f", "UNICODE": "käse 密码", "TRAP": "x\nexport EVIL='1", "EQUALS": "a=b=c", "SPACES": "  two  ", "BANG": "!x", "BYTES": "\xff\xfe",
		"ESCAPE": "\x1b[31mred\x1b[0m", "CR": "a\r\nb",
	}
	for _, path := range shells(t) {
		cmd := exec.Command(path, "-c", "export -p")
		cmd.Env = []string{"PATH=/usr/bin:/bin"}
		for name, v := range values {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		got, err := exports.Parse(string(out))
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, out)
		}
		for name := range got {
			if _, ours := values[name]; !ours && name != "PATH" && !shellVariables[name] {
				t.Errorf("%s: %s appeared", path, name)
			}
		}
		for name, v := range values {
			if diff := cmp.Diff(v, got[name]); diff != "" {
				t.Errorf("%s: %s (-want +got)\n%s", path, name, diff)
			}
		}
	}
}

// In OpenPAI's original runtime, later scripts do not receive the variables that a
// callback exports.
func TestExportsReachWhatComesAfter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start, user []string
		want        string
		log         string // in the runtime log
	}{
		"an export is visible to the commands": {
			[]string{"export DATA_DIR=/data"}, []string{`echo "$DATA_DIR"`}, "/data\n", "",
		},
		"a value with several lines and quotes is kept": {
			[]string{`export V="$(printf 'one\ntwo "x" it'"'"'s')"`}, []string{`printf '%s|\n' "$V"`}, "one\ntwo \"x\" it's|\n", "",
		},
		"a variable that is not exported is not passed on": {
			[]string{"V=1"}, []string{`echo "${V-none}"`}, "none\n", "",
		},
		"an unset variable is absent": {
			[]string{"unset INHERITED"}, []string{`echo "${INHERITED-none}"`}, "none\n", "",
		},
		"exports before an ignored failure are kept": {
			[]string{"export V=1", "false"}, []string{`echo "$V"`}, "1\n", "ignored",
		},
		"exit 0 in the middle keeps exports": {
			[]string{"export V=1", "exit 0", "export V=2"}, []string{`echo "$V"`}, "1\n", "",
		},
		"the runtime's own variables cannot be changed": {
			[]string{"export PAI_USER_NAME=mallory FC_POD_UID=x"}, []string{`echo "$PAI_USER_NAME $FC_POD_UID"`}, "alice f1020521\n", "",
		},
		"an EXIT trap of the callback causes a warning": {
			[]string{"trap 'echo mine' EXIT", "export V=1"}, []string{`echo "${V-none}"`}, "none\n", "[WARNING] taskStarts of prerequisite.script.a replaced its shell or its EXIT trap",
		},
		"exec in the callback causes a warning": {
			[]string{"export V=1", "exec true"}, []string{`echo "${V-none}"`}, "none\n", "[WARNING] taskStarts of prerequisite.script.a replaced its shell",
		},
		"descriptors 3 to 9 are free for the user": {
			[]string{"exec 3>f3 4>f4 9>f9; echo x >&9", "export V=1"}, []string{`cat f9; echo "$V"; wc -c <f4 | tr -d ' '`}, "x\n1\n0\n", "",
		},
		"a background process does not delay the transfer": {
			[]string{"sleep 1000 &", "export V=1"}, []string{`echo "$V"`}, "1\n", "",
		},
		"a subshell does not end the transfer early": {
			[]string{"(export V=sub; exit 0)", "export V=1"}, []string{`echo "$V"`}, "1\n", "",
		},
		"functions with the names of commands that the transfer needs": {
			[]string{"printf() { echo mine; }", `[ -z "${BASH-}" ] || eval 'export() { echo mine; }'`, "V=1; command export V"}, []string{`echo "${V-none}"`}, "1\n", "",
		},
		"PATH that a callback extends finds its programs": {
			[]string{"mkdir bin; printf '#!/bin/sh\\necho found\\n' >bin/mine; chmod +x bin/mine", `export PATH="$PWD/bin:$PATH"`}, []string{"mine"}, "found\n", "",
		},
	} {
		for _, path := range shells(t) {
			t.Run(name+" "+path, func(t *testing.T) {
				t.Parallel()
				r := newRig(t, c.user...)
				r.config.Environ = append(r.config.Environ, "INHERITED=1")
				r.onlyShell(path)
				r.step("a", on("taskStarts", c.start...)).FailurePolicy = "ignore"
				record := r.run()
				if got := r.output(); got != c.want || record.Code != 0 {
					t.Errorf("printed %q, want %q; record %+v\n%s", got, c.want, record, r.log())
				}
				if log := r.log(); !strings.Contains(log, c.log) || c.log == "" && strings.Contains(log, "WARNING") {
					t.Errorf("%q in the log?\n%s", c.log, log)
				}
			})
		}
	}
}

func TestExportedFunctionsOfTheImageStay(t *testing.T) {
	t.Parallel()
	r := newRig(t, "greet")
	r.config.Environ = append(r.config.Environ, "BASH_FUNC_greet%%=() {  echo hello\n}")
	if !slices.ContainsFunc(shells(t), func(s string) bool { return strings.HasSuffix(s, "bash") }) {
		t.Fatal("this test needs bash")
	}
	r.step("a", on("taskStarts", "export V=1"))
	if r.run(); r.output() != "hello\n" {
		t.Errorf("printed %q", r.output())
	}
}
