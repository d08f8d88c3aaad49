// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage"
)

type pushRuntimeOptions struct {
	streams  *Streams
	version  string
	binaries []string
	base     runtimeimage.Base
}

func newClusterPushRuntimeCmd(s *Streams, version string) *cobra.Command {
	o := &pushRuntimeOptions{streams: s, version: version}
	cmd := &cobra.Command{
		Use:   "push-runtime REPOSITORY[:TAG]",
		Short: "Push the runtime image to a registry, without Docker",
		Long: dedent(`
			Build the openpai-runtime image and push it to a registry. Every task on
			Kubernetes needs this image. The command prints the image reference with its
			digest for the cluster block: runtime { image = "..." }. Builds are
			reproducible. TAG defaults to the version of openpai. The command uses the
			credentials that docker login stored.

			The image supports the platform (amd64 or arm64) of each --runtime-binary
			file. By default, the image contains each of these programs that is in
			the same directory as openpai: openpai-runtime (part of releases and
			"make build"), openpai-runtime-linux-amd64 and
			openpai-runtime-linux-arm64. A cluster with nodes of both platforms needs
			both binaries; "make runtime-image" builds both into dist/.

			Without --shell and --base, the image contains no other programs. Init plugins
			that are scripts need a shell. --shell adds busybox from the Debian archive or
			from the mirror in OPENPAI_DEBIAN_MIRROR; --base uses your own base image.

			Exit codes: 0 success, 1 error.

			    openpai cluster push-runtime registry.example.org/team/openpai-runtime:0.1.0
			    openpai cluster push-runtime localhost:5000/openpai-runtime --shell`),
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, args[0])
		},
	}
	cmd.Flags().StringArrayVar(&o.binaries, "runtime-binary", nil, "Linux openpai-runtime binary in this `FILE`; repeatable, once per platform")
	cmd.Flags().BoolVar(&o.base.Shell, "shell", false, "use a small base image with a shell, for init plugins that are scripts")
	cmd.Flags().StringVar(&o.base.Image, "base", "", "use this base `IMAGE`, for init plugins that need more than a shell")
	cmd.MarkFlagsMutuallyExclusive("shell", "base")
	s.registerResults(cmd)
	return cmd
}

func (o *pushRuntimeOptions) run(ctx context.Context, repository string) error {
	if d := hclspec.CheckImage(repository, false, hcl.Range{}); d != nil {
		return fmt.Errorf("invalid repository: %s", d.Detail)
	}
	programs, err := o.programs()
	if err != nil {
		return err
	}
	base, err := o.base.Index(ctx, programs)
	if err != nil {
		return err
	}
	index, err := runtimeimage.Build(programs, runtimeimage.Options{Base: base, Version: o.version})
	if err != nil {
		return err
	}
	reference, err := runtimeimage.Push(ctx, tagged(repository, o.version), index)
	if err != nil {
		return err
	}
	for _, arch := range []string{"amd64", "arm64"} {
		if programs[arch] == "" {
			fmt.Fprintf(o.streams.err, "Note: the image does not support %s nodes; see --runtime-binary.\n", arch)
		}
	}
	o.streams.done(document.Result{Subject: reference, Result: "pushed"}, reference)
	return nil
}

func (o *pushRuntimeOptions) programs() (map[string]string, error) {
	files := o.binaries
	if len(files) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find this program: %w", err)
		}
		if self, err = filepath.EvalSymlinks(self); err != nil {
			return nil, fmt.Errorf("find this program: %w", err)
		}
		if files = runtimeimage.Beside(filepath.Dir(self)); len(files) == 0 {
			return nil, errors.New("no Linux openpai-runtime binary found next to openpai; set --runtime-binary FILE. Releases contain it, and \"make runtime-image\" builds it")
		}
	}
	return runtimeimage.Programs(files)
}

var notInTag = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// tagged appends the version as a tag unless the repository has a tag or
// digest.
func tagged(repository, version string) string {
	last := repository[strings.LastIndex(repository, "/")+1:]
	if strings.ContainsAny(last, ":@") {
		return repository
	}
	return repository + ":" + strings.TrimLeft(notInTag.ReplaceAllString(version, "-"), ".-")
}
