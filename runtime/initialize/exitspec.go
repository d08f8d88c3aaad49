package initialize

import (
	"encoding/json"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

const fileExitSpec = "runtime-exit-spec.yaml"

// copyExitSpec leaves the operator's part of the exit specification for the
// task: as it is, where the original has it, and as what the task reads. A
// mistake in it is not the user's and does not hold the task up.
func (c *container) copyExitSpec() error {
	text, name, err := c.withImage().findConfig(fileExitSpec)
	if err != nil || name == "" {
		return err
	}
	var rules []exitspec.Rule
	if err := decode(name, text, &rules); err != nil {
		c.log.warning("the exit specification of the cluster is left out: " + err.Error())
		return nil
	}
	_, problems := exitspec.NewExtension(rules)
	for _, p := range problems {
		c.log.warning(name + ": " + p)
	}
	if err := runtime.Replace(filepath.Join(c.runtimeDir(), fileExitSpec), text, 0o644); err != nil {
		return err
	}
	packed, err := json.Marshal(rules)
	if err != nil {
		panic("initialize: " + err.Error())
	}
	return runtime.Replace(filepath.Join(c.Root, runtime.ExitSpecFile), packed, 0o644)
}
