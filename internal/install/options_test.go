// SPDX-License-Identifier: MPL-2.0

package install

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOptionsThatWouldGiveMoreThanANamespaceAreRefused(t *testing.T) {
	cases := map[string]struct {
		change func(*Options)
		want   string // part of the error; empty: no error
	}{
		"the usual":                                    {func(*Options) {}, ""},
		"the engine's namespace":                       {func(o *Options) { o.JobNamespace = o.EngineNamespace }, `of FrameworkController: job users`},
		"default, with the engine in it":               {func(o *Options) { o.JobNamespace, o.EngineNamespace = "default", "default" }, `of FrameworkController: job users`},
		"default, with the engine elsewhere":           {func(o *Options) { o.JobNamespace = "default" }, ""},
		"kube-system":                                  {func(o *Options) { o.JobNamespace = "kube-system" }, `the Kubernetes namespace`},
		"a line break in a namespace":                  {func(o *Options) { o.JobNamespace = "ml\n---" }, `invalid namespace "ml\n---"`},
		"a line break at the end":                      {func(o *Options) { o.JobNamespace = "ml\n" }, `invalid namespace "ml\n"`},
		"a line break in the engine's":                 {func(o *Options) { o.EngineNamespace = "e\n" }, `invalid namespace "e\n"`},
		"no namespace":                                 {func(o *Options) { o.JobNamespace = "" }, `invalid namespace ""`},
		"a namespace of 64 characters":                 {func(o *Options) { o.JobNamespace = strings.Repeat("n", 64) }, `invalid namespace`},
		"everybody with a login":                       {func(o *Options) { o.Groups = []string{"system:authenticated"} }, `"system:authenticated" is reserved for Kubernetes`},
		"everybody without one":                        {func(o *Options) { o.Groups = []string{"system:unauthenticated"} }, `is reserved for Kubernetes`},
		"all service accounts":                         {func(o *Options) { o.Groups = []string{"system:serviceaccounts:ml"} }, `is reserved for Kubernetes`},
		"the anonymous user":                           {func(o *Options) { o.Users = []string{"system:anonymous"} }, `"system:anonymous" is reserved for Kubernetes`},
		"a service account":                            {func(o *Options) { o.Users = []string{"system:serviceaccount:ci:deployer"} }, ""},
		"a line break in a user":                       {func(o *Options) { o.Users = []string{"alice\nbob"} }, `invalid user or group "alice\nbob"`},
		"a user without a name":                        {func(o *Options) { o.Users = []string{""} }, `invalid user or group ""`},
		"an address as a user":                         {func(o *Options) { o.Users = []string{"alice@example.org"} }, ""},
		"a namespace per user without users":           {func(o *Options) { o.PerUser, o.Users, o.Groups = true, nil, nil }, "requires at least one user"},
		"a namespace per user with a group":            {func(o *Options) { o.PerUser = true }, "and no groups"},
		"two users of one namespace":                   {func(o *Options) { o.PerUser, o.Groups, o.Users = true, nil, []string{"a.b", "a-b"} }, `would share the namespace ml-a-b`},
		"a user whose namespace is that of the engine": {func(o *Options) { o.PerUser, o.Groups, o.EngineNamespace = true, nil, "ml-alice" }, `of FrameworkController: job users`},
		"a part that does not exist":                   {func(o *Options) { o.Only = []string{"roles"} }, `unknown part "roles"; valid parts are crd, engine, role, policies`},
		"an image with upper case letters":             {func(o *Options) { o.EngineImage = "registry.example.org/Engine/fc:v1" }, `invalid image of FrameworkController: The image "registry.example.org/Engine/fc:v1" has upper-case letters`},
		"an image without a name":                      {func(o *Options) { o.EngineImage = "https://h/fc" }, `"https://h/fc" is not a valid image reference`},
		"a profile that does not exist":                {func(o *Options) { o.Profile = "pai" }, `unknown profile "pai"`},
		"a level that does not exist":                  {func(o *Options) { o.PodSecurity = "none" }, `unknown Pod security level "none"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := options()
			c.change(&o)
			err := o.Check()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestNamespacesHaveThePodSecurityLevelOfTheProfile(t *testing.T) {
	cases := map[string]struct {
		profile, level, want string
		warns                bool
	}{
		"no profile":                  {want: "baseline"},
		"standard":                    {profile: "standard", want: "baseline"},
		"openpai":                     {profile: "openpai", want: "privileged", warns: true},
		"standard with another level": {profile: "standard", level: "restricted", want: "restricted"},
		"standard without any level":  {level: "privileged", want: "privileged", warns: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.Profile, o.PodSecurity, o.Only = c.profile, c.level, []string{PartRole}
			stream := Manifests(o)
			labels := parse(t, stream)[0]["metadata"].(map[string]any)["labels"]
			if diff := cmp.Diff(map[string]any{levelLabel: c.want}, labels); diff != "" {
				t.Errorf("labels (-want +got)\n%s", diff)
			}
			if warns := strings.Contains(string(stream), "are root on the nodes"); warns != c.warns {
				t.Errorf("warns: %v\n%s", warns, stream)
			}
		})
	}
}

func TestEachUserGetsANamespace(t *testing.T) {
	o := options()
	o.PerUser, o.Groups, o.Users, o.Only = true, nil, []string{"alice", "Bob@example.org"}, []string{PartRole}
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, object := range parse(t, Manifests(o)) {
		meta := object["metadata"].(map[string]any)
		line := object["kind"].(string) + " " + meta["name"].(string)
		if namespace, ok := meta["namespace"].(string); ok {
			line += " in " + namespace
		}
		for _, s := range asList(object["subjects"]) {
			line += " for " + s.(map[string]any)["name"].(string)
		}
		got = append(got, line)
	}
	want := []string{
		"Namespace ml-alice", "Role openpai-user in ml-alice", "RoleBinding openpai-user in ml-alice for alice",
		"Namespace ml-bob-example-org", "Role openpai-user in ml-bob-example-org", "RoleBinding openpai-user in ml-bob-example-org for Bob@example.org",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func asList(v any) []any { list, _ := v.([]any); return list }

func TestOnlyTheNamedPartsArePrinted(t *testing.T) {
	for part, want := range map[string][]string{
		PartCRD:      {"CustomResourceDefinition frameworks.frameworkcontroller.microsoft.com"},
		PartEngine:   {"Namespace frameworkcontroller", "ServiceAccount frameworkcontroller", "ClusterRole frameworkcontroller", "ClusterRoleBinding frameworkcontroller", "ConfigMap frameworkcontroller-config", "StatefulSet frameworkcontroller"},
		PartRole:     {"Namespace ml", "Role openpai-user", "RoleBinding openpai-user"},
		PartPolicies: {"ValidatingAdmissionPolicy openpai-storage-permissions", "ValidatingAdmissionPolicyBinding openpai-storage-permissions", "MutatingAdmissionPolicy openpai-seccomp", "MutatingAdmissionPolicyBinding openpai-seccomp"},
	} {
		o := options()
		o.Only = []string{part}
		if diff := cmp.Diff(want, objectNames(t, Manifests(o))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", part, diff)
		}
	}
}

func TestSecretsAreReadByNameOnly(t *testing.T) {
	rules := func(workspaces ...string) map[string][]any {
		o := options()
		o.Only, o.Workspaces = []string{PartRole}, workspaces
		found := map[string][]any{}
		for _, r := range parse(t, Manifests(o))[1]["rules"].([]any) {
			r := r.(map[string]any)
			for _, resource := range r["resources"].([]any) {
				if resource == "secrets" {
					found[strings.TrimSpace(strings.Join(values(r["resourceNames"]), " "))] = asList(r["verbs"])
				}
			}
		}
		return found
	}
	if diff := cmp.Diff(map[string][]any{"": {"get", "create", "patch", "delete"}}, rules()); diff != "" {
		t.Errorf("without workspaces (-want +got)\n%s", diff)
	}
	want := map[string][]any{"": {"create", "patch", "delete"}, "openpai-vision openpai-speech": {"get"}}
	if diff := cmp.Diff(want, rules("vision", "speech")); diff != "" {
		t.Errorf("with workspaces (-want +got)\n%s", diff)
	}
}

func values(v any) []string {
	var all []string
	for _, s := range asList(v) {
		all = append(all, s.(string))
	}
	return all
}
