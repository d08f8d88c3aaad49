// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/openpai/terraform-provider-openpai/provider"
)

// providerBlock returns a configuration in which only the provider block is
// checked: no data source is read.
func providerBlock(block string) string {
	return preamble + "provider \"openpai\" {\n" + block + "\n}\ndata \"openpai_cluster\" \"test\" { count = 0 }\n"
}

func kubernetesBlock(attributes string) string {
	return providerBlock("  kubernetes {\n    user      = \"alice\"\n    workspace = \"team\"\n    " + attributes + "\n  }")
}

func TestAProviderBlockThatCannotBeUsedIsRefused(t *testing.T) {
	t.Setenv("OPENPAI_USER", "")
	t.Setenv("OPENPAI_WORKSPACE", "")
	testRefusals(t, map[string]refusal{
		"both clusters": {providerBlock("local {}\nkubernetes {\n    user = \"alice\"\n    workspace = \"team\"\n}"), "Two clusters"},
		"no user":       {providerBlock(`kubernetes { workspace = "team" }`), "Cluster block has no user"},
		"no workspace":  {providerBlock(`kubernetes { user = "alice" }`), "Workspace has no name"},
	})
}

// TestErrorsOfTheProviderBlockShowTheAttribute expects the line of each attribute.
// Terraform shows this line only for an error with the path of the attribute. For a
// nested attribute, Terraform shows the line of the block.
func TestErrorsOfTheProviderBlockShowTheAttribute(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ attribute, want string }{
		"an unknown profile":            {`profile = "opnpai"`, `profile = "opnpai" profile must be "standard" or "openpai", but is "opnpai". Did you mean "openpai"? At kubernetes.profile.`},
		"an unknown pull policy":        {`runtime_pull_policy = "always"`, `runtime_pull_policy = "always" pull_policy must be "Always", "IfNotPresent" or "Never", but is "always". Did you mean "Always"? At kubernetes.runtime_pull_policy.`},
		"a negative bound of the cache": {`runtime_fetch_cache_mb = -1`, "runtime_fetch_cache_mb = -1 fetch_cache_mb must be at least 0, but is -1. At kubernetes.runtime_fetch_cache_mb."},
		"an invalid duration":           {`max_run_time = "soon"`, `max_run_time = "soon" max_run_time is "soon", but a duration consists of integers`},
		"an unknown pod security level": {`pod_security = "strict"`, `pod_security = "strict" pod_security must be "baseline" or "restricted", but is "strict". At kubernetes.pod_security.`},
		"an unknown preemption policy":  {`priority_class = { preemption_policy = "never" }`, `kubernetes { preemption_policy must be "PreemptLowerPriority" or "Never", but is "never". Did you mean "Never"? At kubernetes.priority_class.preemption_policy.`},
		"a runtime image in upper case": {`runtime_image = "example.org/OpenPAI/runtime:1"`, `runtime_image = "example.org/OpenPAI/runtime:1" The image "example.org/OpenPAI/runtime:1" has upper-case letters in its repository name.`},
	}
	refusals := map[string]refusal{}
	for name, tt := range tests {
		refusals[name] = refusal{kubernetesBlock(tt.attribute), tt.want}
	}
	testRefusals(t, refusals)
}

const somePEM = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"

// reaching returns a kubernetes block with attributes that are separated by semicolons.
// It replaces the words CANARY, PEM and EXEC with a secret value, a certificate and an
// exec block.
func reaching(attributes string) string {
	exec := "exec {\n      api_version = \"client.authentication.k8s.io/v1\"\n      command     = \"login\"\n    }"
	return kubernetesBlock(strings.NewReplacer("; ", "\n    ", "CANARY", fmt.Sprintf("%q", canary), "PEM", fmt.Sprintf("%q", somePEM), "EXEC", exec).Replace(attributes))
}

func TestEachWayToReachAClusterIsAccepted(t *testing.T) {
	t.Parallel()
	for name, attributes := range map[string]string{
		"nothing":                              "",
		"a namespace":                          `namespace = "jobs"`,
		"a context of kubectl's kubeconfig":    `context = "gpu"`,
		"files and a context":                  `config_paths = ["a", "b"]; context = "gpu"`,
		"a host with a token":                  `host = "https://gpu"; cluster_ca_certificate = PEM; token = CANARY`,
		"a host with a certificate":            `host = "https://gpu"; client_certificate = PEM; client_key = PEM`,
		"a host with a program":                `host = "https://gpu"; insecure = true; proxy_url = "socks5://p:1"; EXEC`,
		"an empty token next to a certificate": `host = "https://gpu"; client_certificate = PEM; client_key = PEM; token = ""`,
	} {
		t.Run(name, func(t *testing.T) {
			testResource(t, resource.TestStep{Config: reaching(attributes), PlanOnly: true})
		})
	}
}

// TestOneWayToReachAClusterIsWritten expects the whole text of each error, so that the
// text cannot contain the value of an attribute.
func TestOneWayToReachAClusterIsWritten(t *testing.T) {
	t.Parallel()
	mixed, invalid := provider.MixedAccess.Summary, provider.InvalidAccess.Summary
	tests := map[string]struct{ attributes, summary, detail string }{
		"a file and content":          {`kubeconfig = "a"; kubeconfig_content = CANARY`, mixed, "The block sets both kubernetes.kubeconfig and kubernetes.kubeconfig_content. Remove one of them."},
		"a context and a host":        {`context = "a"; host = "https://gpu"`, mixed, "kubernetes.context is for access with a kubeconfig, but kubernetes.host is for access without one. Remove one of them."},
		"a token and a program":       {`host = "https://gpu"; token = CANARY; EXEC`, mixed, "The block has two credentials, kubernetes.token and kubernetes.exec. Remove one of them."},
		"insecure with an authority":  {`host = "https://gpu"; insecure = true; cluster_ca_certificate = PEM`, mixed, "kubernetes.insecure accepts any certificate, so kubernetes.cluster_ca_certificate has no effect. Remove one of them."},
		"a token without a host":      {`token = CANARY`, invalid, "kubernetes.token requires kubernetes.host, the URL of the API server."},
		"a certificate without a key": {`host = "https://gpu"; client_certificate = PEM`, invalid, "kubernetes.client_certificate requires kubernetes.client_key."},
		"a key without a certificate": {`host = "https://gpu"; client_key = PEM`, invalid, "kubernetes.client_key requires kubernetes.client_certificate."},
		"a program without a command": {`host = "https://gpu"; exec { api_version = "v1" }`, invalid, "kubernetes.exec requires command."},
		"a key in base64":             {`host = "https://gpu"; client_certificate = PEM; client_key = CANARY`, invalid, "kubernetes.client_key is not PEM. Use base64decode() for a base64 value from a kubeconfig."},
		"a host without a scheme":     {`host = "gpu:6443"`, invalid, "kubernetes.host must be a URL that begins with https:// or http://."},
		"a proxy of another scheme":   {`host = "https://gpu"; proxy_url = "ftp://u:` + canary + `@p"`, invalid, "kubernetes.proxy_url must be a URL that begins with https:// or http:// or socks5://."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			testResource(t, resource.TestStep{Config: reaching(tt.attributes), PlanOnly: true, ExpectError: saysOnly(tt.summary, tt.detail)})
		})
	}
}
