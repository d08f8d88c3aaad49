//go:build unix

package runtime

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// extension reads the operator's part of the exit specification, nil when there
// is none. Without it the task is explained by ours alone.
func (t *task) extension() *exitspec.Extension {
	text, err := os.ReadFile(filepath.Join(t.Root, ExitSpecFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var rules []exitspec.Rule
	if err == nil {
		err = json.Unmarshal(text, &rules)
	}
	if err != nil {
		t.complain("the exit specification of the cluster is left out", err)
		return nil
	}
	x, _ := exitspec.NewExtension(rules) // init told of problems
	return x
}
