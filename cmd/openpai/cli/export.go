// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

type exportOptions struct {
	streams      *Streams
	workspace    workspaceFlags
	jobs         []string
	format       string
	withSecrets  bool
	runtimeImage string
	namespace    string
	profile      string
}

var exportFormats = []string{"kubernetes", "protocol"}

func newExportCmd(s *Streams) *cobra.Command {
	o := &exportOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "export [PATH] [ADDRESS...]",
		Short: "Print jobs as Kubernetes objects or as OpenPAI protocol YAML",
		Long: dedent(`
			Print each job as Kubernetes objects, or as OpenPAI protocol YAML. --format
			kubernetes prints the objects that apply sends: the Framework, ConfigMaps and
			Secrets. Secrets are stubs without values. The output includes jobs of the
			local cluster. For these jobs, a development build prints a warning unless
			--runtime-image is set.

			--format protocol prints one job as OpenPAI protocol YAML. Settings without an
			equivalent in the protocol, and references without a value, produce warnings;
			the references remain unchanged. Secret values are omitted unless --with-secrets
			is set. The extras of the printed job contain its marketplaces, with paths
			relative to the current directory.

			Exit codes: 0 success, 1 error.

			    openpai export job.train --format protocol >job.yaml
			    openpai export --profile openpai --namespace alice`),
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.workspace.take(args); err != nil {
				return err
			}
			return o.run()
		},
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.jobs)
	o.workspace.registerStorages(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.jobs, "job", nil, "only the job with this `ADDRESS` or label; repeatable")
	flags.StringVar(&o.format, "format", "kubernetes", "`FORMAT`: kubernetes or protocol")
	flags.BoolVar(&o.withSecrets, "with-secrets", false, "protocol: include secret values")
	flags.StringVar(&o.runtimeImage, "runtime-image", "", "kubernetes: `IMAGE` with openpai-runtime; overrides the cluster block")
	flags.StringVar(&o.namespace, "namespace", "", "kubernetes: `NAMESPACE` of the objects; overrides the cluster block")
	flags.StringVar(&o.profile, "profile", "", "kubernetes: `PROFILE` (standard or openpai); overrides the cluster block")
	s.registerJSON(cmd, "the objects or the job")
	return cmd
}

func (o *exportOptions) run() error {
	if err := o.checkFlags(); err != nil {
		return err
	}
	o.workspace.loose = o.format == "protocol"
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	jobs, err := p.selectDeclared(o.jobs)
	if err != nil {
		return err
	}
	var out []byte
	var objects []any
	var diags hcl.Diagnostics
	if o.format == "protocol" {
		out, diags, err = o.protocol(p, jobs)
	} else {
		out, objects, diags = o.kubernetes(p, jobs)
	}
	if err != nil {
		return err
	}
	for _, job := range jobs {
		diags = append(diags, job.NotPermitted...)
	}
	diags = hclspec.Sort(append(slices.Clone(p.warnings), diags...))
	if diags.HasErrors() {
		return p.diagnosticsError(diags)
	}
	p.show(o.streams, diags)
	if o.streams.json != nil {
		return o.document(objects, out)
	}
	_, err = o.streams.out.Write(out)
	return err
}

// document prints the objects, or the YAML of a job, as JSON.
func (o *exportOptions) document(objects []any, text []byte) error {
	raw := make([]json.RawMessage, len(objects))
	for i, object := range objects {
		var err error
		if raw[i], err = json.Marshal(object); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	var job json.RawMessage
	if o.format == "protocol" {
		var err error
		if job, err = yaml.YAMLToJSON(text); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	o.streams.json.show(document.NewExport(raw, job))
	return nil
}

func (o *exportOptions) checkFlags() error {
	forKubernetes := o.runtimeImage != "" || o.namespace != "" || o.profile != ""
	switch {
	case !slices.Contains(exportFormats, o.format):
		return fmt.Errorf("invalid --format %[2]q: use %[1]s.%[3]s", strings.Join(exportFormats, " or "), o.format, hclspec.Suggest(o.format, exportFormats))
	case o.withSecrets && o.format != "protocol":
		return errors.New("--with-secrets requires --format protocol; Kubernetes objects never contain secret values")
	case forKubernetes && o.format != "kubernetes":
		return errors.New("--runtime-image, --namespace and --profile require --format kubernetes")
	case o.profile != "" && o.profile != render.ProfileStandard && o.profile != render.ProfileOpenPAI:
		return fmt.Errorf("invalid --profile %[3]q: use %[1]s or %[2]s", render.ProfileStandard, render.ProfileOpenPAI, o.profile)
	}
	return nil
}

func (o *exportOptions) kubernetes(p *project, jobs []*resolve.Job) ([]byte, []any, hcl.Diagnostics) {
	var out []byte
	var objects []any
	var diags hcl.Diagnostics
	for _, job := range jobs {
		t := o.target(p, job)
		m, more := render.Objects(job, t)
		diags = append(diags, more...)
		if m == nil {
			continue
		}
		if t.RuntimeImage == "" {
			diags = append(diags, RuntimeImageOmitted.At(p.loaded.Workspace.Sources.Range(job.Declared.Path),
				"%s runs on the local cluster, and this development build has no default runtime image, so the init containers have no image. Set --runtime-image IMAGE to export objects that a cluster accepts.", job.Address))
		}
		if len(out) > 0 {
			out = append(out, "---\n"...)
		}
		if t.RuntimeImage == "" {
			out = append(out, "# The init containers have no image: set --runtime-image IMAGE.\n"...)
		}
		out = append(out, m.YAML()...)
		objects = append(objects, m.All()...)
	}
	return out, objects, diags
}

// protocol returns the protocol YAML of a job. It fails unless exactly one job is
// selected: a protocol file contains one job.
func (o *exportOptions) protocol(p *project, jobs []*resolve.Job) ([]byte, hcl.Diagnostics, error) {
	if len(jobs) != 1 {
		return nil, nil, fmt.Errorf("a protocol file contains one job, but %d are selected; choose one with --job", len(jobs))
	}
	job, apart := p.loaded.WithSources(jobs[0].AddEnabled(), currentDirectory())
	for _, m := range apart {
		fmt.Fprintf(o.streams.err, "Note: the protocol cannot declare marketplace %s, because it is in a cluster. Declare it separately.\n", m.Name)
	}
	out, diags := protocol.Write(job, protocol.WriteOptions{
		Workspace:   p.loaded.Workspace,
		WithSecrets: o.withSecrets,
		SecretValue: p.declaredValue,
	})
	return out, diags, nil
}

func currentDirectory() string {
	dir, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	return dir
}

// declaredValue returns a secret's value if available.
func (p *project) declaredValue(s *hclspec.Secret) (string, bool) {
	value, err := p.loaded.SecretValue(s)
	return value, err == nil
}

// target returns the render target of a job, with the overrides from the flags.
// With --runtime-image, a job on the local cluster is rendered for Kubernetes.
func (o *exportOptions) target(p *project, job *resolve.Job) render.Target {
	t := render.ClusterTarget(p.loaded.Workspace, job.Cluster)
	t.Local = t.Local && o.runtimeImage == ""
	t.RuntimeImage = cmp.Or(o.runtimeImage, t.RuntimeImage)
	t.Namespace = cmp.Or(o.namespace, t.Namespace)
	t.Profile, t.Submitted = cmp.Or(o.profile, t.Profile), time.Now()
	return t
}
