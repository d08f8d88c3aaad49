// SPDX-License-Identifier: MPL-2.0

package operation

import "testing"

func TestPathsBelowTheDirectoryBecomeRelative(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, dir, want string }{
		"a file":                         {"/home/ada/lab/a.csv: no such file", "/home/ada/lab", "a.csv: no such file"},
		"two files":                      {"copy /home/ada/lab/a to /home/ada/lab/b/c", "/home/ada/lab", "copy a to b/c"},
		"a quoted file":                  {`open "/home/ada/lab/a"`, "/home/ada/lab/", `open "a"`},
		"a directory with a longer name": {"/home/ada/lab2/a", "/home/ada/lab", "/home/ada/lab2/a"},
		"the end of another path":        {"/mnt/home/ada/lab/a", "/home/ada/lab", "/mnt/home/ada/lab/a"},
		"the root directory":             {"open /etc/hosts", "/", "open /etc/hosts"},
		"no path":                        {"exit code 1", "/home/ada/lab", "exit code 1"},
	} {
		if got := relativePaths(c.text, c.dir); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
