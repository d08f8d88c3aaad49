// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// canaries returns secrets with unusual characters.
func canaries() []string {
	shapes := []string{
		"plain%dword", "pass word %d", "tab\t%d", "it's %d", `"quoted" %d`, `back\slash\%d`, "dollar$HOME%d", "`tick%d`", "semi;%d;colon",
		"amp&%d&ersand", "<tag%d>", "100%%sure%d", "a+%d+c+d", "käse-%d-brot", "密码%d密码", "first line %d is long\nsecond line %d is long", "trailing %d newline\n",
		"\x01\x02%d\x03\x04", "\x1b[%dm~~~", "ends with %d \\", "/path/%d/key", "user:%d@host", `{"json":%d}`, "[%d,2,3]", "$(touch %d)", "${HOME%d}", "#hash%d",
		"~tilde%d", "-dash-%d-dash", "eyJhbGciOiJIUzI1NiJ9.%d.sig", "AKIAIOSF%dNN7EX", "ghp_%d0123456789", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx%d", "abcd%dabcd",
		"\r\nCRLF %d\r\n", "=?&#%d;:,", "%d'\"'\"'", "<%% %d %%>", "{{ %d }}", "* %d ?",
	}
	var all []string
	for i, shape := range shapes {
		number := 98127700 + i
		text := strings.ReplaceAll(shape, "%d", fmt.Sprint(number))
		all = append(all, strings.ReplaceAll(text, "%%", "%"))
	}
	return all
}

// The test puts forty secrets into every possible input. None of them may appear in
// any output.
func TestSecretsInAnyInputAppearInNoOutput(t *testing.T) {
	t.Parallel()
	secrets := canaries()
	if len(secrets) != 40 {
		t.Fatalf("%d secrets", len(secrets))
	}
	refused := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, r.Header.Get("Authorization")+r.URL.String(), http.StatusForbidden)
	}))
	t.Cleanup(refused.Close)

	r := newRig(t)
	r.spec.Environment = map[string]string{}
	var leak []string
	step := r.step("a")
	step.FailurePolicy, step.Environment = "ignore", map[string]string{}
	for i, value := range secrets {
		r.secret(fmt.Sprint("s", i), value)
		reference, variable := fmt.Sprintf("<%% $secrets.s%d %%>", i), fmt.Sprint("S", i)
		r.spec.Environment[variable], step.Environment["STEP_"+variable] = reference, reference
		leak = append(leak, fmt.Sprintf(`printf '%%s\n' "$%s"; printf '%%s\n' "$%s" >&2; printf '%%s' "$%s" | base64 -w 0; echo; printf '%%s' "$%s" | od -An -c >/dev/null`, variable, variable, variable, variable))
		leak = append(leak, "cat <<'END_OF_CANARY'", reference, "END_OF_CANARY")
	}
	leak = slices.Clip(leak)
	r.spec.Commands = append(leak, `echo "$S0" >"$RUNTIME_LOG_PIPE"`, `exit 3`)
	step.Fetch = []runspec.Fetch{{URL: refused.URL + "/x", To: "never", Auth: "Bearer <% $secrets.s0 %>"}}
	step.Callbacks = []runspec.Callback{
		on("taskStarts", append(leak, "export COPY=\"$STEP_S1\"", "false")...), on("taskFails", append(leak, `echo "$COPY$PAI_EXIT_REASON" >&2`, "false")...), on("taskExits", leak...),
	}
	r.run()
	seen := map[string]string{"standard output": r.stdout.String(), "standard error": r.stderr.String()}
	_ = filepath.WalkDir(r.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasPrefix(name, r.config.SecretsDir) {
			text, _ := os.ReadFile(name)
			seen[name] = string(text)
		}
		return err
	})
	for where, text := range seen {
		for i, s := range secrets {
			core := strings.TrimSpace(s)
			for _, hidden := range []string{core, fmt.Sprint(98127700 + i), base64.StdEncoding.EncodeToString([]byte(s)), url.QueryEscape(core)} {
				if strings.Contains(text, hidden) {
					t.Errorf("%q is in %s", hidden, where)
				}
			}
		}
	}
	if n := strings.Count(seen["standard output"], "***"); n < 120 {
		t.Errorf("%d masks in the output", n)
	}
}
