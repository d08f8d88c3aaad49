// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// authority is a certificate authority for client certificates.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

// newAuthority creates an authority and the CA file for the API server.
func newAuthority(dir string) (*authority, string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "clients"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, "", err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, "", err
	}
	file := filepath.Join(dir, "clients.crt")
	return &authority{key: key, cert: cert}, file, os.WriteFile(file, asPEM("CERTIFICATE", der), 0o600)
}

func asPEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// administrator returns a client certificate and its key.
func (a *authority) administrator(t *testing.T) (cert, private string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "ada", Organization: []string{"system:masters"}},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(asPEM("CERTIFICATE", der)), string(asPEM("EC PRIVATE KEY", text))
}

// accessBlock returns a provider block with the attributes instead of
// kubeconfig.
func accessBlock(t testing.TB, at *environment, attributes string) string {
	return strings.Replace(at.provider, fmt.Sprintf("kubeconfig    = %q\n", apiServer(t).Kubeconfig), attributes+"\n", 1)
}

// direct returns the attributes for access without a kubeconfig.
func direct(t testing.TB) string {
	return fmt.Sprintf("    host                   = %q\n    cluster_ca_certificate = file(%q)\n", apiServer(t).Config.Host, apiServer(t).Config.CAFile)
}

// loginProgram returns a program that prints the administrator's credential.
func loginProgram(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "login")
	text := "#!/bin/sh\nprintf '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s\"}}' \"$TOKEN\"\n"
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTheClusterIsReachedByValues applies and destroys a job for each way to
// access the API server. No credential may remain in Terraform's files or
// logs.
func TestTheClusterIsReachedByValues(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		token := apiServer(t).Config.BearerToken
		cert, key := clients(t).administrator(t)
		write(t, filepath.Join(p.dir, "ada.crt"), cert)
		write(t, filepath.Join(p.dir, "ada.key"), key)
		log := filepath.Join(p.dir, "trace.log")
		p.env = append(p.env, "TF_VAR_token="+token, "TF_VAR_login="+loginProgram(t, p.dir), "TF_LOG=trace", "TF_LOG_PATH="+log, "KUBECONFIG="+filepath.Join(p.dir, "none"))
		variables := "variable \"token\" {\n  type      = string\n  sensitive = true\n}\nvariable \"login\" { type = string }\n"
		for name, attributes := range map[string]string{
			"token":       direct(t) + "    token = var.token",
			"certificate": direct(t) + "    client_certificate = file(\"ada.crt\")\n    client_key = file(\"ada.key\")",
			"exec":        direct(t) + "    exec {\n      api_version = \"client.authentication.k8s.io/v1\"\n      command = var.login\n      env = { TOKEN = var.token }\n    }",
			"insecure":    fmt.Sprintf("    host = %q\n    insecure = true\n    token = var.token", apiServer(t).Config.Host),
			"content":     fmt.Sprintf("    kubeconfig_content = file(%q)", apiServer(t).Kubeconfig),
			"paths":       fmt.Sprintf("    config_paths = [\"missing\", %q]\n    context = \"test\"", apiServer(t).Kubeconfig),
			"ephemeral":   direct(t) + "    token = var.token",
		} {
			declared := variables
			if name == "ephemeral" && !p.knowsEphemeralValues() {
				continue
			}
			if name == "ephemeral" {
				declared = strings.Replace(variables, "sensitive = true", "ephemeral = true", 1)
			}
			p.configure(declared, accessBlock(t, at, attributes), job("sleep 1000", 1, ""))
			p.apply()
			p.mustBeEmpty()
			kept := map[string]string{"state": read(t, filepath.Join(p.dir, "terraform.tfstate")), "log": read(t, log)}
			if name == "ephemeral" { // otherwise plans contain the values as variables
				file := filepath.Join(p.dir, "plan.out")
				p.must("plan", "-destroy", "-out="+file)
				kept["plan"] = p.must("show", "-json", file)
			}
			for kind, text := range kept {
				for _, secret := range []string{token, strings.Split(key, "\n")[1]} {
					if strings.Contains(text, secret) {
						t.Errorf("%s: the %s contains a credential", name, kind)
					}
				}
			}
			p.must("destroy", "-auto-approve", "-input=false")
			if live, err := at.outside.(cluster.Finder).Find(t.Context(), mnist); err != nil || live != nil {
				t.Errorf("%s: the job still exists: %v", name, err)
			}
		}
	})
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAClusterThatIsReplacedKeepsJobs replaces the cluster after a job has ended.
// The provider block then has unknown values. The test plans the unchanged job
// first, and then a changed declaration of the job.
func TestAClusterThatIsReplacedKeepsJobs(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		cluster := func(generation int) string {
			return fmt.Sprintf("resource \"terraform_data\" \"cluster\" {\n  input            = %q\n  triggers_replace = %d\n}\n", apiServer(t).Kubeconfig, generation)
		}
		block := accessBlock(t, at, "    kubeconfig_content = file(terraform_data.cluster.output)")
		p.configure(cluster(1), block, job("true", 1, ""))
		p.apply() // from scratch: the cluster is unknown when Terraform plans the job
		for _, step := range []func(context.Context) error{at.run, at.complete} {
			if err := step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		p.apply()
		p.mustBeEmpty()
		p.configure(cluster(2), block, job("true", 1, ""))
		actions, text := p.actions()
		if actions["terraform_data.cluster"] != "delete create" || actions["openpai_job.mnist"] != "no-op" || strings.Count(text, "States are not refreshed") != 1 {
			t.Errorf("%v\n%s", actions, text)
		}
		p.configure(cluster(2), block, job("false", 1, ""))
		expect(t, p, "update", "A finished job does not run again")
		p.apply()
		if p.attribute("outdated") != true || p.attribute("state") != "SUCCEEDED" {
			t.Errorf("outdated %v, state %v", p.attribute("outdated"), p.attribute("state"))
		}
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}
