// SPDX-License-Identifier: MPL-2.0

package main

import (
	"flag"
	"log"
	"os"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/provider"
)

// version is the version of the provider; the release build sets it.
var version = "dev"

const address = "registry.terraform.io/openpai/openpai"

func main() {
	// The embedded cluster uses this program to run its supervisors and tasks.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	attach := flag.Bool("debug", false, "run the provider with support for debuggers")
	flag.Parse()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // run the garbage collector less often: the provider uses little memory and exits after one command
	}
	if err := quiet(os.Environ()); err != nil {
		log.Fatal(err)
	}
	var options []tf6server.ServeOpt
	if *attach {
		options = append(options, tf6server.WithManagedDebug())
	}
	err := tf6server.Serve(address, func() tfprotov6.ProviderServer { return provider.NewServer(version, providerserver.NewProtocol6) }, options...)
	if err != nil {
		log.Fatal(err)
	}
}
