package main

import (
	"os"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// version is what the build says it is; make build sets it.
var version string

func main() {
	// The embedded cluster runs its supervisors and tasks from this program.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	os.Exit(cli.Main(os.Args[1:], cli.SystemStreams(), version))
}
