// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const canary = "canary-7f3a9c5e"

// token declares a variable that is not stored in plans or states.
const token = "variable \"token\" {\n  type      = string\n  ephemeral = true\n}\n"

func TestNoArtifactHoldsASecret(t *testing.T) {
	waits := map[string]string{"local": `wait_for = "completed"`}
	arrived := map[string]func(*testing.T, *project, *environment) bool{"local": inASecretFile, "kubernetes": inASecretObject}
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, token, job("printf %s '<% $secrets.token %>' > got", 1, waits[name]+"\n  secrets_wo = { token = var.token }"))
				p.env = append(p.env, "TF_VAR_token="+canary)
				texts := secretRun(t, p)
				if !arrived[name](t, p, at) {
					t.Error("the value did not reach the cluster, so the test proves nothing")
				}
				p.configure(at.provider, token, job("printf %s '<% $secrets.tokn %>'", 1, "secrets_wo = { token = var.token }"))
				wrong, code := p.run("plan", "-input=false")
				if texts["diagnostic"] = wrong; code == 0 || !strings.Contains(wrong, "Unknown secret") {
					t.Errorf("a misspelled secret: exit code %d\n%s", code, wrong)
				}
				for name, text := range texts {
					if at := strings.Index(text, canary); at >= 0 {
						t.Errorf("%s contains the value: …%q…", name, text[max(0, at-200):min(len(text), at+50)])
					}
				}
			})
		}
	})
}

// secretRun plans and applies with all logs enabled. It returns outputs by
// description, and files by name.
func secretRun(t *testing.T, p *project) map[string]string {
	t.Helper()
	logs, plan := filepath.Join(filepath.Dir(p.dir), "trace.log"), filepath.Join(filepath.Dir(p.dir), "plan")
	p.env = append(p.env, "TF_LOG=TRACE", "TF_LOG_PATH="+logs)
	texts := map[string]string{
		"what plan prints":  p.must("plan", "-input=false", "-out="+plan),
		"JSON of the plan":  p.must("show", "-json", plan),
		"what apply prints": p.apply(plan),
		"JSON of the state": p.must("show", "-json"),
	}
	for _, file := range []string{plan, logs, filepath.Join(p.dir, "terraform.tfstate")} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(file)] = string(text)
	}
	var private map[string][]byte // as the plugin framework writes it
	if err := json.Unmarshal(p.jobState().Private, &private); err != nil || len(private) == 0 {
		t.Fatalf("%d parts of the private state: %v", len(private), err)
	}
	for name, text := range private {
		texts["private state "+name] = string(text)
	}
	return texts
}

func inASecretFile(t *testing.T, p *project, _ *environment) (found bool) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(p.dir, ".openpai", "secrets"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		found = found || holdsCanary(string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func inASecretObject(t *testing.T, _ *project, at *environment) bool {
	t.Helper()
	secrets := schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	list, err := apiServer(t).Dynamic().Resource(secrets).Namespace(namespaceOf(at)).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return holdsCanary(string(text))
}

func holdsCanary(text string) bool {
	return strings.Contains(text, canary) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(canary)))
}
