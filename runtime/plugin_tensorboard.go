//go:build unix

package runtime

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

var errNoRepository = errors.New("the parameter repo_uri is not given")

// startTensorboard starts TensorBoard in the background of the first task of
// the first role (parameters port and logdir, a map of names to paths). Where
// the image has none, or the directories are not given, the task goes on with
// a warning. Source: microsoft/openpai-runtime: src/plugins/tensorboard.
func (t *task) startTensorboard(ctx context.Context, step *runspec.Step) outcome {
	if t.Index != 0 || len(t.Spec.Roles) == 0 || t.Spec.Roles[0].Name != t.Spec.Role {
		return outcome{}
	}
	dirs, _ := step.Parameters["logdir"].(map[string]any)
	port, hasPort, err := t.parameterText(step, "port")
	if err != nil {
		return failed(exitPlugin, "%v", err)
	}
	if len(dirs) == 0 || !hasPort {
		t.log.warning(label(step, "plugin tensorboard") + " is not started: the parameters port and logdir are needed")
		return outcome{}
	}
	var spec []string
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		if path, isText := dirs[name].(string); isText {
			spec = append(spec, name+":"+path)
		}
	}
	return t.pluginScript(ctx, step, tensorboardCommand(port, strings.Join(spec, ",")))
}

// tensorboardCommand serves version 2, which knows --logdir_spec, and version
// 1, which takes the same text as --logdir.
func tensorboardCommand(port, dirs string) string {
	return `if ! command -v tensorboard >/dev/null; then
  echo "[WARNING] TensorBoard is not started: the image has no tensorboard"
elif tensorboard --helpfull 2>&1 | grep -q -e --logdir_spec; then
  tensorboard --logdir_spec ` + quote(dirs) + ` --port ` + quote(port) + ` --bind_all &
else
  tensorboard --logdir ` + quote(dirs) + ` --port ` + quote(port) + ` &
fi`
}
