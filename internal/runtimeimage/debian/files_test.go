// SPDX-License-Identifier: MPL-2.0

package debian

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage/debian/debtest"
)

func TestFilesReturnsTheRequestedFilesOfAPackage(t *testing.T) {
	t.Parallel()
	deb := debtest.Package(t, map[string]string{"/bin/": "", "/bin/one": "first", "/usr/two": "second", "/usr/three": ""})
	for name, c := range map[string]struct {
		deb   []byte
		names []string
		want  map[string][]byte
		err   string
	}{
		"the requested files":                      {deb, []string{"/usr/two", "/bin/one"}, map[string][]byte{"/bin/one": []byte("first"), "/usr/two": []byte("second")}, ""},
		"an empty file":                            {deb, []string{"/usr/three"}, map[string][]byte{"/usr/three": {}}, ""},
		"a file that the package does not contain": {deb, []string{"/bin/one", "/bin/four"}, nil, "does not contain the file /bin/four"},
		"a directory instead of a file":            {deb, []string{"/bin"}, nil, "does not contain the file /bin"},
		"a string":                                 {[]byte("<html>"), []string{"/bin/one"}, nil, "not a Debian package"},
		"a package without data":                   {bytes.ReplaceAll(deb, []byte("data.tar.xz"), []byte("data.tar.gz")), []string{"/bin/one"}, nil, "does not contain data.tar.xz"},
		"a truncated package":                      {deb[:len(deb)-20], []string{"/bin/one"}, nil, "damaged"},
		"a package with another format":            {bytes.ReplaceAll(deb, []byte("\xfd7zXZ"), []byte("\xfd7zXY")), []string{"/bin/one"}, nil, "unpack data.tar.xz"},
	} {
		got, err := Files(c.deb, c.names...)
		if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, files (-want +got)\n%s", name, err, diff)
		}
	}
}
