// SPDX-License-Identifier: MPL-2.0

package api

import (
	"errors"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// TestExecErrorsShowWhyACommandDidNotStart uses error messages from a kubelet with
// containerd.
func TestExecErrorsShowWhyACommandDidNotStart(t *testing.T) {
	t.Parallel()
	const runc = `Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "8043": OCI runtime exec failed: exec failed: unable to start container process: exec: `
	for text, want := range map[string]string{
		runc + `"nosuch": executable file not found in $PATH`:       `run it: cannot start "nosuch": executable file not found in $PATH`,
		runc + `"nosuch": stat nosuch: no such file or directory`:   `run it: cannot start "nosuch": stat nosuch: no such file or directory`,
		`unable to upgrade connection: container not found ("app")`: `run it: the container is starting or has ended`,
		`broken`: `run it: broken`,
	} {
		err := execError("run it", []string{"nosuch"}, errors.New(text))
		if err.Error() != want {
			t.Errorf("%s: got %q, want %q", text, err, want)
		}
	}
	if err := execError("run it", nil, errors.New(`container not found ("app")`)); !errors.Is(err, cluster.ErrNotFound) {
		t.Errorf("a container that has ended: %v", err)
	}
}
