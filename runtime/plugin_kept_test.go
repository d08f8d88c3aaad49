// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"strings"
	"testing"
)

// The plugins support all parameters of the original plugins under their original
// names. The resolver converts the parameters of cmd to callbacks and the
// parameters of teamwise_storage to mounts.
func TestParametersOfPluginsAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	r := newRig(t, "while [ ! -e started ]; do sleep 0.01; done; cat started clone/file; [ -d ../pai/ssh ] && echo ssh")
	r.program("tensorboard", fakeTensorboard)
	repository, _ := r.repository()
	togetherWith(map[string]any{
		"jobssh": true, "sshbarrier": true, "sshbarrierTimeout": 1,
		"userssh": map[string]any{"type": "custom", "value": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGd8Zr1hNnQ1c2VyIGtleSBvZiBhIHRlc3QgZm9yIG5v ann"},
	}, r)
	r.plugin("git", map[string]any{"repo_uri": "file://" + repository, "options": []any{"--depth 1", "--quiet"}, "clone_dir": "clone"})
	r.plugin("tensorboard", map[string]any{"port": 1, "logdir": map[string]any{"a": "/logs"}})
	record := r.run()
	if record.Code != 0 || strings.Contains(r.log(), "[WARNING]") {
		t.Errorf("record %+v\n%s", record, r.log())
	}
	if got := r.output(); !strings.HasPrefix(got, "--logdir /logs --port ") || !strings.HasSuffix(got, "\nnewer\nssh\n") {
		t.Errorf("output %q", got)
	}
}
