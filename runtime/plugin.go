//go:build unix

package runtime

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// exitPlugin is what a plugin counts as that this runtime cannot serve.
const exitPlugin = 126

// startPlugin does what the plugin of a step does by itself, before the
// callbacks of the step. No plugin is passed over in silence.
func (t *task) startPlugin(ctx context.Context, step *runspec.Step) outcome {
	switch step.Plugin {
	case "", contract.PluginCmd, contract.PluginDocker:
		return outcome{}
	case contract.PluginGit:
		return t.gitClone(ctx, step)
	case contract.PluginTensorboard:
		return t.startTensorboard(ctx, step)
	case contract.PluginSSH:
		t.log.warning("plugin ssh is skipped: this runtime has no SSH server")
		return outcome{}
	}
	if contract.IsStoragePlugin(step.Plugin) {
		if len(t.Spec.Mounts) == 0 {
			t.log.warning(label(step, "plugin "+step.Plugin) + " mounts no storage in this task")
		}
		return outcome{} // mounts were checked before anything started
	}
	return failed(exitPlugin, "is not known to this runtime")
}

// pluginScript runs a script that a plugin is made of, as a start callback.
func (t *task) pluginScript(ctx context.Context, step *runspec.Step, command string) outcome {
	keep := &tail{}
	out, _ := t.run(ctx, script{
		commands: []string{command}, environ: t.env.list(nil), service: true, stdout: t.log.callback(keep),
	})
	out.lines = keep.lines()
	return out
}

// parameterText returns a parameter of a plugin as text, with secrets filled
// in; ok is false when it is not given or not a single value.
func (t *task) parameterText(step *runspec.Step, name string) (text string, ok bool, err error) {
	switch v := step.Parameters[name].(type) {
	case string:
		text, err = t.secrets.render(v, t.env.lookup)
		return text, true, err
	case float64, int, bool:
		return fmt.Sprint(v), true, nil
	}
	return "", false, nil
}

// parameterList returns a parameter that is a list of texts.
func (t *task) parameterList(step *runspec.Step, name string) ([]string, error) {
	var all []string
	list, _ := step.Parameters[name].([]any)
	for _, v := range list {
		text, isText := v.(string)
		if !isText {
			return nil, fmt.Errorf("%s holds something else than text", name)
		}
		text, err := t.secrets.render(text, t.env.lookup)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}
