// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	_ "embed" // embeds the names of the applets
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage/debian"
)

// The shell of the small base is Debian's busybox-static. This version remains
// on the mirrors, because Debian 12 receives no further point releases.
const (
	busyboxVersion = "1.35.0-4+deb12u1+b1"
	// busyboxSource is the version of the source package in Debian.
	busyboxSource = "1:1.35.0-4+deb12u1"

	debianMirror = "http://deb.debian.org/debian"
	// debianSnapshot is a permanent snapshot of the Debian archive.
	debianSnapshot = "https://snapshot.debian.org/archive/debian/20260801T000000Z"
)

var busyboxSums = map[string]string{
	"amd64": "3d3fdbe91d4660c873e14b092c213fe81c1da6362daa236eb25d0171eb108744",
	"arm64": "732c9135564fc71337e0e05fb4da4d11e6c28c1834bce3e405e575afef2a52f5",
}

func busyboxPackage(arch string) (debian.Package, error) {
	sum, ok := busyboxSums[arch]
	if !ok {
		return debian.Package{}, fmt.Errorf("no base image with a shell is available for the architecture %s; use amd64 or arm64", arch)
	}
	return debian.Package{Path: "pool/main/b/busybox/busybox-static_" + busyboxVersion + "_" + arch + ".deb", SHA256: sum}, nil
}

// applets contains the names of the links to busybox-static. Source: "busybox
// --list-full", with the same output for both architectures.
//
//go:embed applets.txt
var applets string

// Files of the busybox-static package that the base includes.
const (
	busyboxFile   = "/bin/busybox"
	copyrightFile = "/usr/share/doc/busybox-static/copyright"
)

// busyboxEntries returns the files of a minimal root directory with a shell.
func busyboxEntries(files map[string][]byte) []entry {
	entries := []entry{
		{path: busyboxFile, mode: 0o755, content: files[busyboxFile]},
		{path: copyrightFile, mode: 0o644, content: files[copyrightFile]},
		{path: "/usr/share/doc/busybox-static/source", mode: 0o644, content: []byte(sourceNote)},
		{path: "/etc/passwd", mode: 0o644, content: []byte("root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n")},
		{path: "/etc/group", mode: 0o644, content: []byte("root:x:0:\nnogroup:x:65534:\n")},
		{path: "/root", mode: 0o700},
	}
	for name := range strings.Lines(applets) {
		entries = append(entries, entry{path: "/" + strings.TrimSuffix(name, "\n"), link: busyboxFile})
	}
	return entries
}

const sourceNote = "busybox-static " + busyboxVersion + " of Debian, unchanged. Source: package busybox " + busyboxSource + ",\n" +
	"https://snapshot.debian.org/package/busybox/" + busyboxSource + "/\n" +
	"License: GPL-2.0-only, https://www.gnu.org/licenses/old-licenses/gpl-2.0.txt\n"
