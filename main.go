// Command terraform-provider-openpai is the Terraform provider openpai/openpai.
// Terraform starts it; it is of no use on its own. The resources are in package
// provider.
package main

import (
	"context"
	"flag"
	"log"
	"os"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/provider"
)

// version is what the build says it is; the release sets it.
var version = "dev"

const address = "registry.terraform.io/openpai/openpai"

func main() {
	// The embedded cluster runs its supervisors and tasks from this program.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	debug := flag.Bool("debug", false, "serve a provider that a debugger can be attached to")
	flag.Parse()
	err := providerserver.Serve(context.Background(), func() framework.Provider { return provider.New(version) }, providerserver.ServeOpts{
		Address: address, Debug: *debug, ProtocolVersion: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
}
