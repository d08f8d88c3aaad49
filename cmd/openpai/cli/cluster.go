package cli

import (
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/install"
)

func newClusterCmd(s *Streams, version string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Prepare a Kubernetes cluster",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newClusterManifestsCmd(s), newClusterPushRuntimeCmd(s, version), newClusterCheckCmd(s))
	return cmd
}

func newClusterManifestsCmd(s *Streams) *cobra.Command {
	o := install.Options{}
	cmd := &cobra.Command{
		Use:   "manifests",
		Short: "Print what an administrator applies once",
		Long: text(`
			Prints the Kubernetes objects that a cluster needs before the first job: the
			Framework custom resource, FrameworkController with our exit rules and with
			just the permissions it needs, a role for the users of openpai, and the
			admission policy for clusters with pod_security = "restricted". Apply them with

			    openpai cluster manifests | kubectl apply --server-side -f -

			Exit codes: 0 success, 1 error.`),
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := s.out.Write(install.Manifests(o))
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.EngineNamespace, "engine-namespace", install.DefaultEngineNamespace, "namespace of FrameworkController")
	f.StringVar(&o.EngineImage, "engine-image", install.DefaultEngineImage, "image of FrameworkController")
	f.StringVarP(&o.JobNamespace, "namespace", "n", install.DefaultJobNamespace, "namespace of the jobs")
	f.StringSliceVar(&o.Users, "user", nil, "user who may run jobs; repeatable")
	f.StringSliceVar(&o.Groups, "group", nil, "group that may run jobs; repeatable")
	f.BoolVar(&o.PriorityClasses, "priority-classes", false, "let them make the PriorityClasses of clusters with priority_class too")
	return cmd
}
