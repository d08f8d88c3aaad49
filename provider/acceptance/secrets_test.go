//go:build acc

package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const canary = "canary-7f3a9c5e"

func TestNoArtifactHoldsASecret(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := localPlace(t, p.dir)
		p.configure(at.provider, `
variable "token" {
  type      = string
  ephemeral = true
}
`, job("printf %s '<% $secrets.token %>' > got", 1, `
  wait_for   = "completed"
  secrets_wo = { token = var.token }
`))
		logs := filepath.Join(filepath.Dir(p.dir), "trace.log")
		p.env = append(p.env, "TF_VAR_token="+canary, "TF_LOG=TRACE", "TF_LOG_PATH="+logs)
		plan := filepath.Join(filepath.Dir(p.dir), "plan")
		texts := map[string]string{
			"plan":             p.must("plan", "-input=false", "-out="+plan),
			"JSON of the plan": p.must("show", "-json", plan),
			"apply":            p.apply(plan),
			"JSON of a state":  p.must("show", "-json"),
		}
		p.configure(at.provider, "variable \"token\" {\n  type = string\n  ephemeral = true\n}\n", job("printf %s '<% $secrets.tokn %>'", 1, "secrets_wo = { token = var.token }"))
		wrong, code := p.run("plan", "-input=false")
		if texts["finding"] = wrong; code == 0 || !strings.Contains(wrong, "Unknown secret") {
			t.Errorf("a misspelled secret: exit code %d\n%s", code, wrong)
		}
		for _, file := range []string{plan, logs, filepath.Join(p.dir, "terraform.tfstate")} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Base(file)] = string(text)
		}
		for name, text := range texts {
			if strings.Contains(text, canary) {
				at := strings.Index(text, canary)
				t.Errorf("%s holds the value: …%q…", name, text[max(0, at-200):min(len(text), at+50)])
			}
		}
	})
}
