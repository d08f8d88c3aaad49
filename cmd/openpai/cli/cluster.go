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
			Prepares a Kubernetes cluster for openpai and checks it.

			    openpai cluster manifests -n vision --user alice
			    openpai cluster check`),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newClusterManifestsCmd(s), newClusterPushRuntimeCmd(s, version), newClusterCheckCmd(s))
	return cmd
}

func newClusterManifestsCmd(s *Streams) *cobra.Command {
	o := install.Options{}
	cmd := &cobra.Command{
		Use:   "manifests",
		Short: "Print what an administrator applies once",
		Long: dedent(`
			Prints the Kubernetes objects that a cluster needs before the first job: the
			Framework custom resource (crd), FrameworkController with our exit rules and
			only the permissions it needs (engine), a namespace with a Pod security level
			and a role for the users of openpai (role), and the admission policies
			(policies).

			Only --engine-image prints the StatefulSet of FrameworkController. Without it,
			applying the objects for another namespace, or after an upgrade, keeps the
			image in use and starts no second engine. The released image is
			` + install.ReleasedEngineImage + `.

			Whoever may run jobs in a namespace can do there whatever its Pods can: one
			namespace is one trust domain. --per-user gives each user one.

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
				fmt.Fprintf(s.err, "Note: the StatefulSet of FrameworkController is not printed; to install it, add --engine-image %s.\n", install.ReleasedEngineImage)
			}
			_, err := s.out.Write(install.Manifests(o))
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.EngineNamespace, "engine-namespace", install.DefaultEngineNamespace, "namespace of FrameworkController")
	f.StringVar(&o.EngineImage, "engine-image", "", "`IMAGE` of FrameworkController; without it its StatefulSet is not printed")
	f.StringVarP(&o.JobNamespace, "namespace", "n", install.DefaultJobNamespace, "namespace of the jobs")
	f.StringSliceVar(&o.Only, "only", nil, "print these parts: crd, engine, role, policies; repeatable")
	f.BoolVar(&o.PerUser, "per-user", false, "one namespace per user, named NAMESPACE-USER")
	f.StringVar(&o.Profile, "profile", render.ProfileStandard, "profile of the cluster block: standard or openpai")
	f.StringVar(&o.PodSecurity, "pod-security", "", "Pod security level of the namespace; default: baseline, or privileged with the profile openpai")
	f.StringArrayVar(&o.Workspaces, "workspace", nil, "`NAME` of a workspace whose key the role may read, and no other Secret; repeatable")
	f.StringArrayVar(&o.Users, "user", nil, "`USER` who may run jobs; repeatable")
	f.StringArrayVar(&o.Groups, "group", nil, "`GROUP` that may run jobs; repeatable")
	f.BoolVar(&o.PriorityClasses, "priority-classes", false, "let them make the PriorityClasses of clusters with priority_class too")
	return cmd
}
