// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/pem"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// check reports invalid access attributes. Diagnostics do not contain the
// values, because most values are credentials.
func (a access) check(diags *diag.Diagnostics) {
	if a.checkMixed(diags); diags.HasError() {
		return
	}
	a.checkComplete(diags)
	for _, name := range []string{"cluster_ca_certificate", "client_certificate", "client_key"} {
		if text := stringOr(a[name], ""); text != "" && !isPEM(text) {
			reportAccess(diags, InvalidAccess, name, "kubernetes.%s is not PEM. Use base64decode() for a base64 value from a kubeconfig.", name)
		}
	}
	for name, schemes := range map[string][]string{"host": {"https", "http"}, "proxy_url": {"https", "http", "socks5"}} {
		if text := stringOr(a[name], ""); text != "" && !isURL(text, schemes) {
			reportAccess(diags, InvalidAccess, name, "kubernetes.%s must be a URL that begins with %s://.", name, strings.Join(schemes, ":// or "))
		}
	}
}

// checkMixed reports an error if the block mixes several ways to access the
// cluster, or several credentials.
func (a access) checkMixed(diags *diag.Diagnostics) {
	files, direct := a.written(kubeconfigNames), a.written(hostNames, credentialNames)
	if len(files) == 0 && a.isWritten("context") {
		files = []string{"context"}
	}
	switch {
	case len(files) > 1:
		reportAccess(diags, MixedAccess, files[1], "The block sets both kubernetes.%s and kubernetes.%s. Remove one of them.", files[0], files[1])
	case len(files) > 0 && len(direct) > 0:
		reportAccess(diags, MixedAccess, direct[0], "kubernetes.%s is for access with a kubeconfig, but kubernetes.%s is for access without one. Remove one of them.", files[0], direct[0])
	}
	var credentials []string
	for _, name := range a.written(credentialNames) {
		if name != "client_key" {
			credentials = append(credentials, name)
		}
	}
	if len(credentials) > 1 {
		reportAccess(diags, MixedAccess, credentials[1], "The block has two credentials, kubernetes.%s and kubernetes.%s. Remove one of them.", credentials[0], credentials[1])
	}
	if a.isWritten("cluster_ca_certificate") && isTrue(a["insecure"]) {
		reportAccess(diags, MixedAccess, "insecure", "kubernetes.insecure accepts any certificate, so kubernetes.cluster_ca_certificate has no effect. Remove one of them.")
	}
}

// checkComplete reports attributes without the attributes that they require.
func (a access) checkComplete(diags *diag.Diagnostics) {
	if direct := a.written(hostNames, credentialNames); len(direct) > 0 && !a.isWritten("host") {
		reportAccess(diags, InvalidAccess, direct[0], "kubernetes.%s requires kubernetes.host, the URL of the API server.", direct[0])
	}
	for name, other := range map[string]string{"client_certificate": "client_key", "client_key": "client_certificate"} {
		if a.isWritten(name) && !a.isWritten(other) {
			reportAccess(diags, InvalidAccess, name, "kubernetes.%s requires kubernetes.%s.", name, other)
		}
	}
	if values := access(attributesOf(a["exec"])); values != nil {
		for _, name := range []string{"api_version", "command"} {
			if !values.isWritten(name) {
				reportAccess(diags, InvalidAccess, "exec", "kubernetes.exec requires %s.", name)
			}
		}
	}
}

func reportAccess(diags *diag.Diagnostics, e *hclspec.Entry, name, format string, args ...any) {
	diags.AddAttributeError(path.Root("kubernetes").AtName(name), e.Summary, fmt.Sprintf(format, args...))
}

func isPEM(text string) bool {
	block, _ := pem.Decode([]byte(text))
	return block != nil
}

func isURL(text string, schemes []string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && slices.Contains(schemes, u.Scheme)
}
