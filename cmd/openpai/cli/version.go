// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
)

// release is the version of this source tree. A workspace's required_version
// must accept this version.
const release = "0.1.0"

func newVersionCmd(s *Streams, version string) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		GroupID: groupOthers,
		Short:   "Show the version of this program",
		Long: dedent(`
			Print the version of openpai, its release, and its Go version and platform.

			    openpai version
			    openpai version --json`),
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			v := document.NewVersion(document.Version{
				Version: version, Release: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Commit: commit(),
			})
			if s.json != nil {
				s.json.show(v)
				return nil
			}
			fmt.Fprintf(s.out, "openpai %s\nrelease %s\n%s %s\n", v.Version, v.Release, v.Go, v.Platform)
			if v.Commit != "" {
				fmt.Fprintf(s.out, "commit %s\n", v.Commit)
			}
			return nil
		},
	}
	s.registerJSON(cmd, "the version")
	return cmd
}

// commit returns the source revision of the build, or "".
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, set := range info.Settings {
		if set.Key == "vcs.revision" {
			return set.Value
		}
	}
	return ""
}
