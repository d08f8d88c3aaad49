// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"encoding/base64"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestSecretsReachScriptsAndNothingElse(t *testing.T) {
	t.Parallel()
	secret := `s3cr3t & "quoted" <it's> $HOME\n` + "\nsecond line of the secret"
	r := newRig(t, `printf '%s\n' "$TOKEN"`, `printf '%s\n' "$TOKEN" >&2`, `printf '%s' "$TOKEN" | base64`, `printf '%s' "$TOKEN" >copy; [ "$(cat copy)" = "$TOKEN" ]; rm copy`,
		"cat <<'END_OF_SECRET'", "<% $secrets.key %>", "END_OF_SECRET")
	r.secret("key", secret)
	r.secret("short", "222")
	r.spec.Environment = map[string]string{"TOKEN": "<% $secrets.key %>"}
	r.step("a", on("taskStarts", `printf '%s\n' "$TOKEN"; export COPY="$TOKEN"`, "echo <% $secrets.short %>"), on("taskFails", `printf '%s\n' "$COPY"; exit 1`))
	r.spec.Commands = append(r.spec.Commands, "echo \"$TOKEN\"; exit 3")
	record := r.run()
	if record.UserCode != 3 {
		t.Fatalf("record %+v\n%s", record, r.output())
	}
	if !strings.Contains(r.log(), "\n222\n") {
		t.Errorf("a value of three characters was masked\n%s", r.log())
	}
	hidden := []string{secret, "second line of the secret", base64.StdEncoding.EncodeToString([]byte(secret)), url.QueryEscape(secret)}
	seen := map[string]string{"stdout": r.stdout.String(), "stderr": r.stderr.String(), "record": strings.Join(record.LastLines, "\n") + record.Reason}
	_ = filepath.WalkDir(r.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasPrefix(name, r.config.SecretsDir) {
			text, _ := os.ReadFile(name)
			seen[name] = string(text)
		}
		return err
	})
	for name, text := range seen {
		for _, h := range hidden {
			if strings.Contains(text, h) {
				t.Errorf("%q is in %s", h, name)
			}
		}
	}
	if strings.Count(r.stdout.String(), "***") < 3 {
		t.Errorf("standard output\n%s", r.stdout.String())
	}
}

func TestASecretThatIsMissingEndsTheTaskBeforeItsFirstScript(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace")
	r.traced("a", "", "")
	r.spec.Secrets = []string{"z", "y"}
	record := r.run()
	if record.Code == 0 || record.Stage != "init" || !strings.Contains(record.Reason, "the secret y, z has no value") || r.trace() != "" {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}

func TestASecretOfAnotherUserSaysWhatToSet(t *testing.T) {
	t.Parallel()
	err := readError("token", &fs.PathError{Op: "open", Path: "/secrets/token", Err: syscall.EACCES}, 1000)
	for _, part := range []string{"read the secret token", "permission denied", "user 1000", "run_as_user = 1000", "fsGroup"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q: %v", part, err)
		}
	}
	err = readError("token", &fs.PathError{Op: "open", Path: "/secrets/token", Err: syscall.EIO}, 1000)
	if want := "read the secret token: open /secrets/token: input/output error"; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSecretsAreRenderedOnce(t *testing.T) {
	t.Parallel()
	s := secrets{"y": "222", "a.b": "nested", "tag": "<% $secrets.y %> {{FC_TASK_INDEX}}"}
	variable := func(name string) (string, bool) { v, ok := map[string]string{"FC_TASK_INDEX": "3"}[name]; return v, ok }
	for name, c := range map[string]struct{ in, want string }{
		"a secret":                      {"echo <% $secrets.y %>", "echo 222"},
		"a nested one":                  {"<% $secrets.a.b %>", "nested"},
		"a value is not rendered again": {"<% $secrets.tag %>", "<% $secrets.y %> {{FC_TASK_INDEX}}"},
		"an escaped tag":                {"<%% $secrets.y %>", "<% $secrets.y %>"},
		"a tag that the planner kept":   {"<% $parameters.x %>", "<% $parameters.x %>"},
		"a variable of the framework":   {"task {{FC_TASK_INDEX}} {{ FC_TASK_INDEX }}", "task 3 3"},
		"a variable that is not set":    {"{{FC_OTHER}}", "{{FC_OTHER}}"},
		"braces of the user":            {"docker ps --format '{{.ID}}' {{ x }} {{", "docker ps --format '{{.ID}}' {{ x }} {{"},
		"HTML characters are unchanged": {`a && b < c > d "e" 'f'`, `a && b < c > d "e" 'f'`},
	} {
		got, err := s.render(c.in, variable)
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, want %q, error %v", name, got, c.want, err)
		}
	}
	if _, err := s.render("<% $secrets.unknown %>", variable); err == nil {
		t.Error("a secret without a value is not an error")
	}
}
