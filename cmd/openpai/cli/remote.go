package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// remoteFlags choose a workspace of a Kubernetes cluster by its name, without any
// file: that of Terraform or of another machine.
type remoteFlags struct {
	workspace, kubeconfig, context, namespace string
}

// remoteCluster is the name of the cluster in such a workspace, as in Terraform.
const remoteCluster = "kubernetes"

// registerRemote is for commands that need no declaration of the jobs.
func (f *workspaceFlags) registerRemote(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.remote.workspace, "workspace", "", "`NAME` of a workspace on Kubernetes, whose jobs are read without any file")
	flags.StringVar(&f.remote.kubeconfig, "kubeconfig", "", "with --workspace: kubeconfig `FILE`; kubectl's rules when absent")
	flags.StringVar(&f.remote.context, "context", "", "with --workspace: `CONTEXT` of the kubeconfig")
	flags.StringVar(&f.remote.namespace, "namespace", "", "with --workspace: `NAMESPACE` of the jobs; that of the context when absent")
}

// check fails for flags that have no effect.
func (r remoteFlags) check(path string) error {
	switch {
	case r.workspace == "" && r != remoteFlags{}:
		return errors.New("--kubeconfig, --context and --namespace need --workspace NAME")
	case r.workspace != "" && path != "":
		return fmt.Errorf("--workspace reads no files; remove %s or --workspace", path)
	}
	return nil
}

// loaded is the workspace of that name, which declares no jobs.
func (r remoteFlags) loaded() *workspace.Loaded {
	c := &hclspec.Cluster{Name: remoteCluster, Kubeconfig: r.kubeconfig, Context: r.context, Namespace: r.namespace}
	return &workspace.Loaded{Workspace: &hclspec.Workspace{Name: r.workspace, Clusters: []*hclspec.Cluster{c}}, Policies: &workspace.Policies{}, Named: true}
}
