// SPDX-License-Identifier: MPL-2.0

package install

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func options() Options {
	return Options{
		EngineNamespace: DefaultEngineNamespace, EngineImage: ReleasedEngineImage, JobNamespace: "ml",
		Users: []string{"alice"}, Groups: []string{"vision"},
	}
}

func TestManifestsAreTheseObjectsInThisOrder(t *testing.T) {
	want := []string{
		"CustomResourceDefinition frameworks.frameworkcontroller.microsoft.com",
		"Namespace frameworkcontroller",
		"ServiceAccount frameworkcontroller",
		"ClusterRole frameworkcontroller",
		"ClusterRoleBinding frameworkcontroller",
		"ConfigMap frameworkcontroller-config",
		"StatefulSet frameworkcontroller",
		"Namespace ml",
		"Role openpai-user",
		"RoleBinding openpai-user",
		"ValidatingAdmissionPolicy openpai-storage-permissions",
		"ValidatingAdmissionPolicyBinding openpai-storage-permissions",
		"MutatingAdmissionPolicy openpai-seccomp",
		"MutatingAdmissionPolicyBinding openpai-seccomp",
	}
	if diff := cmp.Diff(want, objectNames(t, Manifests(options()))); diff != "" {
		t.Errorf("objects (-want +got)\n%s", diff)
	}
}

func TestManifestsWithoutAnEngineImageKeepTheWorkload(t *testing.T) {
	with := options()
	without := with
	without.EngineImage = ""
	want := slices.DeleteFunc(objectNames(t, Manifests(with)), func(name string) bool { return name == "StatefulSet frameworkcontroller" })
	if diff := cmp.Diff(want, objectNames(t, Manifests(without))); diff != "" {
		t.Errorf("objects (-want +got)\n%s", diff)
	}
}

func objectNames(t *testing.T, stream []byte) []string {
	t.Helper()
	var names []string
	for _, o := range parse(t, stream) {
		names = append(names, o["kind"].(string)+" "+o["metadata"].(map[string]any)["name"].(string))
	}
	return names
}

func TestPriorityClassesAreForThoseWhoAskForThem(t *testing.T) {
	o := options()
	if bytes.Contains(Manifests(o), []byte("priorityclasses")) {
		t.Error("the manifests contain a permission that is not needed")
	}
	o.PriorityClasses = true
	var got []string
	for _, object := range parse(t, Manifests(o)) {
		if name := object["metadata"].(map[string]any)["name"]; name == priorityRole {
			got = append(got, object["kind"].(string))
		}
	}
	if diff := cmp.Diff([]string{"ClusterRole", "ClusterRoleBinding"}, got); diff != "" {
		t.Errorf("objects (-want +got)\n%s", diff)
	}
}

func TestWithoutUsersThereIsNoBinding(t *testing.T) {
	o := options()
	o.Users, o.Groups = nil, nil
	if bytes.Contains(Manifests(o), []byte("kind: RoleBinding")) {
		t.Error("the manifests contain a binding without subjects")
	}
}

func TestSameOptionsGiveTheSameBytes(t *testing.T) {
	want := Manifests(options())
	for range 100 {
		if !bytes.Equal(want, Manifests(options())) {
			t.Fatal("the manifests differ between two calls")
		}
	}
}

// FrameworkController panics at startup for a reserved or duplicate code, a rule
// without patterns, or an invalid expression.
func TestFrameworkControllerAcceptsTheFailureRules(t *testing.T) {
	seen := map[int]bool{}
	for _, r := range failureRules() {
		code := r["code"].(int)
		if seen[code] || code >= -999 && code <= 0 || code >= 200 && code <= 219 {
			t.Errorf("code %d is reserved or duplicated", code)
		}
		seen[code] = true
		if patterns, ok := r["podPatterns"].([]object); !ok || len(patterns) == 0 {
			t.Errorf("code %d has no pattern", code)
		}
	}
	for _, expr := range regexp.MustCompile(`(?m)Regex: (.+)$`).FindAllStringSubmatch(string(marshalYAML(failureRules())), -1) {
		if _, err := regexp.Compile(strings.Trim(expr[1], `'"`)); err != nil {
			t.Error(err)
		}
	}
	for _, code := range []int{-1200, 137, 220, 250, 251, 252, 253, 254, 255} {
		if !seen[code] {
			t.Errorf("no rule for code %d", code)
		}
	}
}

func TestARuleThatMatchesThePodComesBeforeOneForTheCode(t *testing.T) {
	position := func(code int) int {
		return slices.IndexFunc(failureRules(), func(r object) bool { return r["code"] == code })
	}
	if oom, kill := position(-1200), position(137); oom > kill {
		t.Errorf("the rule for an OOM kill is at index %d, after the rule for SIGKILL at index %d", oom, kill)
	}
}

func parse(t *testing.T, stream []byte) []map[string]any {
	t.Helper()
	var objects []map[string]any
	for _, doc := range strings.Split(string(stream), "---\n") {
		var o map[string]any
		if err := yaml.UnmarshalStrict([]byte(doc), &o); err != nil {
			t.Fatalf("%v in\n%s", err, doc)
		}
		if o != nil {
			objects = append(objects, o)
		}
	}
	return objects
}
