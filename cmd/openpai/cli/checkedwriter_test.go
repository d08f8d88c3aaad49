// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatIsLostIsAFailure(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"version"}, {"help"}, {"status", "../../../examples/quickstart"}, {"validate", "../../../examples/quickstart"}} {
		var reported bytes.Buffer
		code := Main(args, NewStreams(nil, fullDisk{}, &reported), "")
		if code != exitFailed || !strings.Contains(reported.String(), "no space left on device") {
			t.Errorf("%v: exit code %d, printed %q", args, code, reported.String())
		}
	}
}
