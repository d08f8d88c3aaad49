package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version that this source tree is, or becomes. required_version
// is compared with it.
const release = "0.1.0"

func newVersionCmd(s *Streams, version string) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: groupOthers,
		Short:   "Show the version of this program",
		Long: dedent(`
			Prints the version of this program, the release that it belongs to, and what it
			was built from and for.

			    openpai version
			    openpai --version`),
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(s.out, "openpai %s\nrelease %s\n%s %s/%s\n", version, release, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, set := range info.Settings {
					if set.Key == "vcs.revision" {
						fmt.Fprintf(s.out, "commit %s\n", set.Value)
					}
				}
			}
			return nil
		},
	}
}
