package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

type exportOptions struct {
	streams      *Streams
	workspace    workspaceFlags
	jobs         []string
	format       string
	runtimeImage string
	namespace    string
	profile      string
}

var exportFormats = []string{"kubernetes"}

func newExportCmd(s *Streams) *cobra.Command {
	o := &exportOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "export [PATH]",
		Short: "Print jobs as Kubernetes objects",
		Long: text(`
			kubernetes prints the Framework, ConfigMaps and Secrets of every job as they
			would be sent. Secrets are stubs with names and without values.

			Exit codes: 0 success, 1 error.`),
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.workspace.setPath(args)
			return o.run()
		},
	}
	o.workspace.register(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.jobs, "job", nil, "only the job with that `ADDRESS` or label; may be repeated")
	flags.StringVar(&o.format, "format", "kubernetes", "`FORMAT`: kubernetes")
	flags.StringVar(&o.runtimeImage, "runtime-image", "", "`IMAGE` with openpai-runtime, instead of that of the cluster block")
	flags.StringVar(&o.namespace, "namespace", "", "`NAMESPACE` of the objects, instead of that of the cluster block")
	flags.StringVar(&o.profile, "profile", "", "`PROFILE` (standard or openpai), instead of that of the cluster block")
	return cmd
}

func (o *exportOptions) run() error {
	if err := o.checkFlags(); err != nil {
		return err
	}
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	jobs, err := p.selectDeclared(o.jobs)
	if err != nil {
		return err
	}
	out, diags := o.kubernetes(p, jobs)
	diags = hclspec.Sort(append(slices.Clone(p.warnings), diags...))
	if diags.HasErrors() {
		return p.findings(diags)
	}
	p.show(o.streams, diags)
	_, err = o.streams.out.Write(out)
	return err
}

func (o *exportOptions) checkFlags() error {
	switch {
	case !slices.Contains(exportFormats, o.format):
		return fmt.Errorf("--format takes %s, not %q.%s", strings.Join(exportFormats, " or "), o.format, hclspec.Suggest(o.format, exportFormats))
	case o.profile != "" && o.profile != render.ProfileStandard && o.profile != render.ProfileOpenPAI:
		return fmt.Errorf("--profile takes %s or %s, not %q", render.ProfileStandard, render.ProfileOpenPAI, o.profile)
	}
	return nil
}

func (o *exportOptions) kubernetes(p *project, jobs []*resolve.Job) ([]byte, hcl.Diagnostics) {
	var out []byte
	var diags hcl.Diagnostics
	for _, job := range jobs {
		m, more := render.Objects(job, o.target(p, job))
		diags = append(diags, more...)
		if m == nil {
			continue
		}
		if len(out) > 0 {
			out = append(out, "---\n"...)
		}
		out = append(out, m.YAML()...)
	}
	return out, diags
}

// target is that of the job's cluster with what the flags say. A job of the
// local cluster that names a runtime image is rendered for Kubernetes.
func (o *exportOptions) target(p *project, job *resolve.Job) render.Target {
	t := target(p.loaded.Workspace, job)
	t.Local = t.Local && o.runtimeImage == ""
	t.RuntimeImage = or(o.runtimeImage, t.RuntimeImage)
	t.Namespace = or(o.namespace, t.Namespace)
	t.Profile = or(o.profile, t.Profile)
	return t
}
