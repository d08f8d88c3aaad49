// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// remoteFlags are the flags that choose a workspace on a Kubernetes cluster by
// name instead of by its files. The workspace may belong to Terraform or to a
// different machine.
type remoteFlags struct {
	workspace, kubeconfig, context, namespace string
}

// remoteCluster is the name of the cluster in a remote workspace. The Terraform
// provider uses the same name.
const remoteCluster = "kubernetes"

// registerRemote adds remoteFlags to commands that do not need job
// declarations.
func (f *workspaceFlags) registerRemote(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&workspaceName{&f.remote.workspace}, "workspace", "`NAME` of a workspace on Kubernetes; reads the jobs from the cluster instead of from files")
	flags.StringVar(&f.remote.kubeconfig, "kubeconfig", "", "with --workspace: kubeconfig `FILE`; same default as kubectl")
	flags.StringVar(&f.remote.context, "context", "", "with --workspace: `CONTEXT` in the kubeconfig")
	flags.StringVar(&f.remote.namespace, "namespace", "", "with --workspace: `NAMESPACE` of the jobs; defaults to the namespace of the context")
}

// workspaceName is a flag value that rejects an empty name. Otherwise, an unset
// variable in a script would select the workspace of the current directory.
type workspaceName struct{ name *string }

var _ pflag.Value = (*workspaceName)(nil)

// String implements pflag.Value.
func (w *workspaceName) String() string {
	if w.name == nil {
		return ""
	}
	return *w.name
}

// Set implements pflag.Value.
func (w *workspaceName) Set(text string) error {
	if text == "" {
		return errors.New("the name is empty")
	}
	*w.name = text
	return nil
}

// Type implements pflag.Value.
func (w *workspaceName) Type() string { return "string" }

// check returns an error for flags that have no effect.
func (r remoteFlags) check(path string) error {
	switch {
	case r.workspace == "" && r != remoteFlags{}:
		return errors.New("--kubeconfig, --context and --namespace require --workspace NAME")
	case r.workspace != "" && path != "":
		return fmt.Errorf("unexpected path %q: --workspace does not read files. Remove the path or --workspace, or write a job as job.NAME and a task as ROLE:INDEX", path)
	}
	return nil
}

// loaded returns a workspace with the given name and without declared jobs.
func (r remoteFlags) loaded() *workspace.Loaded {
	c := &hclspec.Cluster{Name: remoteCluster, Kubeconfig: r.kubeconfig, Context: r.context, Namespace: r.namespace}
	return &workspace.Loaded{Workspace: &hclspec.Workspace{Name: r.workspace, Clusters: []*hclspec.Cluster{c}}, Policies: &workspace.Policies{}, Named: true}
}

// emptyRemote describes a remote workspace without the wanted objects. It suggests a
// workspace with a similar name.
func emptyRemote(ctx context.Context, o *operation.Operation, name, wanted string) string {
	in := ""
	if namespace, err := o.Namespace(remoteCluster); err == nil && namespace != "" {
		in = fmt.Sprintf(" in the namespace %q", namespace)
	}
	advice := "check --workspace, --namespace and --context"
	others, err := o.Workspaces(ctx, remoteCluster)
	if nearest := hclspec.Nearest(name, others); err == nil && nearest != "" && nearest != name {
		advice = fmt.Sprintf("did you mean %q?", nearest)
	}
	return fmt.Sprintf("the workspace %q has no %s%s; %s", name, wanted, in, advice)
}
