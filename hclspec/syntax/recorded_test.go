// SPDX-License-Identifier: MPL-2.0

package syntax

import "testing"

// In a command, 0.10 and 0.1 differ.
func TestARecordedNumberKeepsItsSpelling(t *testing.T) {
	t.Parallel()
	decode := func(source string, values ...Value) (command, recorded string) {
		ws, diags := Decode(Input{Files: map[string][]byte{"a.pai.hcl": []byte(source + `
job "a" {
  task_role "w" {
    image    = "i"
    commands = ["train", var.rate]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 1
    }
  }
}
`)}, Values: values})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return ws.Jobs[0].TaskRoles[0].Commands[1], ws.Variables[0].Value
	}
	for _, typ := range []string{"", "type = number\n"} {
		before, recorded := decode("variable \"rate\" {\n" + typ + "default = 0.10\n}")
		value, err := RecordedValue("rate", []byte(recorded))
		if err != nil {
			t.Fatal(err)
		}
		after, _ := decode("variable \"rate\" {\n"+typ+"default = 0.5\n}", value)
		if before != "0.10" || after != before {
			t.Errorf("%q: the command %q with the declared number, %q with the recorded number %s", typ, before, after, recorded)
		}
	}
}
