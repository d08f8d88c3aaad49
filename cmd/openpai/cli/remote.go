// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// remoteFlags choose a workspace of a Kubernetes cluster by name, without files: a
// workspace of Terraform or of another machine.
type remoteFlags struct {
	workspace, kubeconfig, context, namespace string
}

// remoteCluster is the name of the cluster in a remote workspace, as in Terraform.
const remoteCluster = "kubernetes"

// registerRemote adds the flags of commands that do not need job declarations.
func (f *workspaceFlags) registerRemote(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.remote.workspace, "workspace", "", "`NAME` of a workspace on Kubernetes; reads its jobs from the cluster instead of files")
	flags.StringVar(&f.remote.kubeconfig, "kubeconfig", "", "with --workspace: kubeconfig `FILE`; defaults to the kubectl rules")
	flags.StringVar(&f.remote.context, "context", "", "with --workspace: `CONTEXT` of the kubeconfig")
	flags.StringVar(&f.remote.namespace, "namespace", "", "with --workspace: `NAMESPACE` of the jobs; defaults to the namespace of the context")
}

// check returns an error for flags without effect.
func (r remoteFlags) check(path string) error {
	switch {
	case r.workspace == "" && r != remoteFlags{}:
		return errors.New("--kubeconfig, --context and --namespace require --workspace NAME")
	case r.workspace != "" && path != "":
		return fmt.Errorf("--workspace does not read files; remove %s or --workspace", path)
	}
	return nil
}

// loaded returns a workspace with the given name and without declared jobs.
func (r remoteFlags) loaded() *workspace.Loaded {
	c := &hclspec.Cluster{Name: remoteCluster, Kubeconfig: r.kubeconfig, Context: r.context, Namespace: r.namespace}
	return &workspace.Loaded{Workspace: &hclspec.Workspace{Name: r.workspace, Clusters: []*hclspec.Cluster{c}}, Policies: &workspace.Policies{}, Named: true}
}
