// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// accessSchema returns the attributes for access to a cluster, except
// kubeconfig and context.
func accessSchema() map[string]schema.Attribute {
	sensitive := func(doc string) schema.StringAttribute {
		return schema.StringAttribute{Optional: true, Sensitive: true, MarkdownDescription: doc}
	}
	return map[string]schema.Attribute{
		"kubeconfig_content": sensitive("Content of a kubeconfig file, as an alternative to `kubeconfig`."),
		"config_paths": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Kubeconfig files to merge, instead of `kubeconfig`. If several files set the same value, the provider uses the value from the first file.",
		},
		"host":                   stringAttribute("URL of the API server. If `host` is set, the provider does not read a kubeconfig, and `namespace` defaults to `default`.", ""),
		"cluster_ca_certificate": stringAttribute("PEM-encoded certificate authority of the API server. Requires `host`.", ""),
		"client_certificate":     stringAttribute("PEM-encoded client certificate. Requires `host` and `client_key`.", ""),
		"client_key":             sensitive("PEM-encoded private key of the client certificate."),
		"token":                  sensitive("Bearer token. Requires `host`."),
		"insecure": schema.BoolAttribute{
			Optional: true, MarkdownDescription: "Do not verify the certificate of the API server. Requires `host`. Default: false.",
		},
		"tls_server_name": stringAttribute("Name that the API server's certificate must contain. Defaults to the name in `host`.", ""),
		"proxy_url":       sensitive("URL of a proxy to the API server: `http`, `https` or `socks5`. Requires `host`. Defaults to the environment variables `HTTPS_PROXY` and `NO_PROXY`."),
	}
}

// execSchema returns the block "exec". No attribute is marked as required:
// the plugin framework would require it even without the block.
func execSchema() schema.Block {
	return schema.SingleNestedBlock{
		MarkdownDescription: "Program that prints a credential. Corresponds to `exec` in a kubeconfig user. Requires `host`.",
		Attributes: map[string]schema.Attribute{
			"api_version": stringAttribute("API version of the credential that the program prints, such as `client.authentication.k8s.io/v1`. Required.", ""),
			"command":     stringAttribute("Path or name of the program. Required.", ""),
			"args":        schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Arguments of the program."},
			"env":         schema.MapAttribute{Optional: true, Sensitive: true, ElementType: types.StringType, MarkdownDescription: "Environment variables for the program, in addition to Terraform's environment."},
		},
	}
}

// The groups of access attributes: kubeconfigs (mutually exclusive), the
// connection to a host, and credentials for the host.
var (
	kubeconfigNames = []string{"kubeconfig", "kubeconfig_content", "config_paths"}
	hostNames       = []string{"host", "cluster_ca_certificate", "insecure", "tls_server_name", "proxy_url"}
	credentialNames = []string{"token", "client_certificate", "client_key", "exec"}
)

// access is the part of a kubernetes block for access to the cluster.
type access map[string]tftypes.Value

// isWritten reports whether an attribute is set, even to an unknown value.
// Empty strings are treated as unset, because conditional expressions can
// produce them.
func (a access) isWritten(name string) bool {
	v := a[name]
	if v.Type() == nil || v.IsNull() {
		return false
	}
	return !v.IsKnown() || !v.Type().Is(tftypes.String) || stringOr(v, "") != ""
}

func (a access) written(names ...[]string) []string {
	var found []string
	for _, group := range names {
		for _, name := range group {
			if a.isWritten(name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// isKnown reports whether all attributes that are set in the three groups are
// fully known.
func (a access) isKnown() bool {
	for _, name := range a.written(kubeconfigNames, hostNames, credentialNames) {
		if !a[name].IsFullyKnown() {
			return false
		}
	}
	return true
}

// decode returns nil if kubectl's rules determine the cluster.
func (a access) decode() *hclspec.ClusterAccess {
	if a.written(kubeconfigNames[1:], hostNames, credentialNames) == nil {
		return nil
	}
	return &hclspec.ClusterAccess{
		Kubeconfig: a.sensitive("kubeconfig_content"), ConfigPaths: stringsIn(a["config_paths"]),
		Host: stringOr(a["host"], ""), CertificateAuthority: stringOr(a["cluster_ca_certificate"], ""),
		ClientCertificate: stringOr(a["client_certificate"], ""), ClientKey: a.sensitive("client_key"), Token: a.sensitive("token"),
		Exec: a.exec(), Insecure: isTrue(a["insecure"]), TLSServerName: stringOr(a["tls_server_name"], ""), ProxyURL: stringOr(a["proxy_url"], ""),
	}
}

func (a access) sensitive(name string) *hclspec.Sensitive {
	if text := stringOr(a[name], ""); text != "" {
		return hclspec.NewSensitive(text)
	}
	return nil
}

func (a access) exec() *hclspec.ExecCredential {
	values := attributesOf(a["exec"])
	if values == nil {
		return nil
	}
	e := &hclspec.ExecCredential{
		APIVersion: stringOr(values["api_version"], ""), Command: stringOr(values["command"], ""), Args: arguments(values["args"]),
		Env: map[string]*hclspec.Sensitive{},
	}
	for name, v := range attributesOf(values["env"]) {
		e.Env[name] = hclspec.NewSensitive(stringOr(v, ""))
	}
	return e
}

// arguments returns the elements of a list, including empty elements.
func arguments(v tftypes.Value) []string {
	var elements []tftypes.Value
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	mustAs(v, &elements)
	args := make([]string, len(elements))
	for i, e := range elements {
		args[i] = stringOr(e, "")
	}
	return args
}
