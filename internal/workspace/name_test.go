// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"errors"
	"os/user"
	"testing"
)

func TestTheDirectoryNamesTheWorkspace(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{"/home/ada/mnist": "mnist", "/": "workspace"} {
		if got := defaultName(dir); got != want {
			t.Errorf("the name of %s is %q, want %q", dir, got, want)
		}
	}
}

func TestTheCurrentUserAlwaysHasAName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		user *user.User
		err  error
		want string
	}{
		"known to the system":                          {&user.User{Username: "ada"}, nil, "ada"},
		"with a domain":                                {&user.User{Username: `LAB\ada`}, nil, "ada"},
		"a user who is not in the system database":     {nil, errors.New("unknown"), "uid-1000"},
		"a user without a name in the system database": {&user.User{}, nil, "uid-1000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := CurrentUser(func() (*user.User, error) { return c.user, c.err }, 1000)
			if got != c.want {
				t.Errorf("the user is %q, want %q", got, c.want)
			}
		})
	}
}
