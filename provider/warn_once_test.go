// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

func TestAPlanShowsAWarningOfSeveralJobsOnce(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	found := ""
	for _, name := range []string{"one", "two", "three"} {
		found += tf.resource("openpai_job").planBeside(job([]string{"true"}, tree{"name": name})).diagnostics
	}
	found += tf.resource("openpai_job").planBeside(worker(job([]string{"true"}, tree{"name": "four"}), tree{"image": "debian:12"})).diagnostics
	if got := strings.Count(found, "Image not used on the local cluster"); got != 2 {
		t.Errorf("%d warnings for two images\n%s", got, found)
	}
}
