//go:build unix

package runtime

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// peers returns the table of all tasks. Where init prepared it, it is read when
// somebody asks: the tables of large gangs take longer than starting a shell.
func (t *task) peers() []runspec.Host {
	if t.hosts == nil {
		t.hosts = &runspec.Hosts{}
		text, err := os.ReadFile(filepath.Join(t.Root, hostsFile))
		if err == nil {
			err = json.Unmarshal(text, t.hosts)
		}
		if err != nil {
			t.log.warning("the table of hosts cannot be read: " + err.Error())
		}
	}
	return t.hosts.Tasks
}
