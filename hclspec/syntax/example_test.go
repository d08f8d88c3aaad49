// SPDX-License-Identifier: MPL-2.0

package syntax_test

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// Decode returns a workspace from its files. It reports each error as a
// diagnostic with a position.
func ExampleDecode() {
	ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{"main.pai.hcl": []byte(`
variable "epochs" {
  type    = number
  default = 10
}

job "train" {
  task_role "worker" {
    image    = "python:3.13"
    commands = ["python train.py --epochs ${var.epochs}"]
    memory   = 64

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`)}})
	for _, d := range diags {
		fmt.Printf("%s: %s\n", d.Subject, hclspec.Code(d))
	}
	fmt.Println(ws.Jobs[0].TaskRoles[0].Commands[0])
	// Output:
	// main.pai.hcl:11,5-11: unknown-argument
	// python train.py --epochs 10
}

// Format returns the canonical format of a file.
func ExampleFormat() {
	fmt.Printf("%s", syntax.Format([]byte("job  \"train\"{\n  priority=1\n user_name   = \"alice\"\n}\n")))
	// Output:
	// job "train" {
	//   priority  = 1
	//   user_name = "alice"
	// }
}
