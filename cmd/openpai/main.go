// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// version is the version of the build; make build sets it.
var version string

func main() {
	// The embedded cluster starts its supervisors and tasks from this binary.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	os.Exit(cli.Main(os.Args[1:], cli.SystemStreams(), version))
}
