// SPDX-License-Identifier: MPL-2.0

package api

import (
	"maps"
	"slices"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// accessConfig returns a kubeconfig with one context. Credential plugins run
// non-interactively, because they must not prompt the user.
func accessConfig(a *hclspec.ClusterAccess) *clientcmdapi.Config {
	const name = "openpai"
	user := clientcmdapi.NewAuthInfo()
	user.ClientCertificateData = []byte(a.ClientCertificate)
	if a.ClientKey != nil {
		user.ClientKeyData = []byte(a.ClientKey.Reveal())
	}
	if a.Token != nil {
		user.Token = a.Token.Reveal()
	}
	if e := a.Exec; e != nil {
		user.Exec = &clientcmdapi.ExecConfig{
			APIVersion: e.APIVersion, Command: e.Command, Args: e.Args, Env: execEnv(e.Env), InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
		}
	}
	server := clientcmdapi.NewCluster()
	server.Server, server.TLSServerName, server.ProxyURL = a.Host, a.TLSServerName, a.ProxyURL
	server.CertificateAuthorityData, server.InsecureSkipTLSVerify = []byte(a.CertificateAuthority), a.Insecure
	context := clientcmdapi.NewContext()
	context.Cluster, context.AuthInfo = name, name
	config := clientcmdapi.NewConfig()
	config.Clusters[name], config.AuthInfos[name], config.Contexts[name] = server, user, context
	config.CurrentContext = name
	return config
}

func execEnv(env map[string]*hclspec.Sensitive) []clientcmdapi.ExecEnvVar {
	var list []clientcmdapi.ExecEnvVar
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, clientcmdapi.ExecEnvVar{Name: name, Value: env[name].Reveal()})
	}
	return list
}
