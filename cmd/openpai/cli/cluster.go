// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

func newClusterCmd(s *Streams, version string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Prepare a Kubernetes cluster",
		Long: dedent(`
			Prepare a Kubernetes cluster for openpai, and check its setup.

			    openpai cluster manifests -n vision --user alice
			    openpai cluster check`),
		Args: noSubcommand,
		RunE: printHelp,
	}
	cmd.AddCommand(newClusterManifestsCmd(s), newClusterPushRuntimeCmd(s, version), newClusterCheckCmd(s))
	return cmd
}

func newClusterManifestsCmd(s *Streams) *cobra.Command {
	o := install.Options{}
	cmd := &cobra.Command{
		Use:   "manifests",
		Short: "Print the Kubernetes objects that an administrator applies once",
		Long: dedent(`
			Print the Kubernetes objects that a cluster needs before the first job. The
			output has four parts:

			- crd: the Framework custom resource.
			- engine: FrameworkController with openpai's exit rules and the minimum
			  permissions.
			- role: a namespace with a Pod security level, and a role for openpai users.
			- policies: the admission policies.

			The StatefulSet of FrameworkController is printed only with --engine-image.
			Omit this flag when you add a namespace or run the command after an
			upgrade. In these cases, the StatefulSet would change the image in use or
			start a second engine.

			The released image is ` + install.ReleasedEngineImage + `.

			Anyone who may run jobs in a namespace has the permissions of all its Pods, so a
			namespace is one trust domain. --per-user creates one namespace for each user.

			Exit codes: 0 success, 1 error.

			Examples:

			    openpai cluster manifests --user alice --engine-image example.org/engine:1 |
			      kubectl apply --server-side -f -
			    openpai cluster manifests --only role -n speech --user bob |
			      kubectl apply --server-side -f -`),
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if err := o.Check(); err != nil {
				return err
			}
			if o.PrintsEngine() && o.EngineImage == "" {
				fmt.Fprintf(s.err, "Note: the output omits the StatefulSet of FrameworkController; to include it, add --engine-image %s.\n", install.ReleasedEngineImage)
			}
			_, err := s.out.Write(install.Manifests(o))
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.EngineNamespace, "engine-namespace", install.DefaultEngineNamespace, "`NAMESPACE` of FrameworkController")
	f.StringVar(&o.EngineImage, "engine-image", "", "`IMAGE` of FrameworkController; if unset, the output omits its StatefulSet")
	f.StringVarP(&o.JobNamespace, "namespace", "n", install.DefaultJobNamespace, "`NAMESPACE` of the jobs")
	f.StringSliceVar(&o.Only, "only", nil, "print only this `PART`: crd, engine, role or policies; repeatable")
	f.BoolVar(&o.PerUser, "per-user", false, "one namespace per user, named NAMESPACE-USER")
	f.StringVar(&o.Profile, "profile", render.ProfileStandard, "`PROFILE` of the cluster block: standard or openpai")
	f.StringVar(&o.PodSecurity, "pod-security", "", "Pod security `LEVEL` of the namespace; default: baseline (privileged with --profile openpai)")
	f.StringArrayVar(&o.Workspaces, "workspace", nil, "limit the role to the Secret of the workspace `NAME`; repeatable")
	f.StringArrayVar(&o.Users, "user", nil, "`USER` who may run jobs; repeatable")
	f.StringArrayVar(&o.Groups, "group", nil, "`GROUP` that may run jobs; repeatable")
	f.BoolVar(&o.PriorityClasses, "priority-classes", false, "also allow users to create PriorityClasses, for clusters with priority_class")
	return cmd
}
