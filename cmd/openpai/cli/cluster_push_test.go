// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage"
)

func TestTheVersionIsTheTagWhenNoneIsGiven(t *testing.T) {
	t.Parallel()
	for repository, want := range map[string]string{
		"openpai/runtime":                     "openpai/runtime:v1.2",
		"registry.example.org:5000/runtime":   "registry.example.org:5000/runtime:v1.2",
		"registry.example.org:5000/runtime:x": "registry.example.org:5000/runtime:x",
	} {
		if got := tagged(repository, "v1.2"); got != want {
			t.Errorf("%s returns %s, want %s", repository, got, want)
		}
	}
	if got := tagged("runtime", "1.0.0+local build"); got != "runtime:1.0.0-local-build" {
		t.Errorf("a version that is not a tag returns %s", got)
	}
}

// header writes only the ELF header of a Linux program.
func header(t *testing.T, file string, machine elf.Machine) string {
	t.Helper()
	h := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Ehsize: 64, Phentsize: 56, Shentsize: 64}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	var text bytes.Buffer
	_ = binary.Write(&text, binary.LittleEndian, h)
	if err := os.WriteFile(file, text.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPushRuntimePrintsAReproducibleDigest(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(s.Close)
	repository := strings.TrimPrefix(s.URL, "http://") + "/openpai/runtime"
	intel := header(t, filepath.Join(t.TempDir(), "a"), elf.EM_X86_64)
	arm := header(t, filepath.Join(t.TempDir(), "b"), elf.EM_AARCH64)

	push := func(args ...string) (code int, out, err string) {
		var stdout, stderr bytes.Buffer
		code = Main(append([]string{"cluster", "push-runtime"}, args...), NewStreams(nil, &stdout, &stderr), "v1.2")
		return code, strings.TrimSpace(stdout.String()), stderr.String()
	}
	code, both, stderr := push(repository, "--runtime-binary", intel, "--runtime-binary", arm)
	if code != 0 || !strings.HasPrefix(both, repository+"@sha256:") || stderr != "" {
		t.Fatalf("code %d, output %q, errors %q", code, both, stderr)
	}
	if code, again, _ := push(repository+":other", "--runtime-binary", arm, "--runtime-binary", intel); code != 0 || again != both {
		t.Errorf("the same programs produce %s and %s", both, again)
	}
	for _, ref := range []string{both, repository + ":v1.2", repository + ":other"} {
		if _, err := runtimeimage.Pull(t.Context(), ref); err != nil {
			t.Error(err)
		}
	}
	if code, one, stderr := push(repository+":arm", "--runtime-binary", arm); code != 0 || one == both || !strings.Contains(stderr, "does not support amd64 nodes") {
		t.Errorf("one processor: code %d, output %q, errors %q", code, one, stderr)
	}
	if code, _, stderr := push("registry.example.org/OpenPAI/runtime:V1"); code != 1 || !strings.Contains(stderr, `write "registry.example.org/openpai/runtime:V1"`) {
		t.Errorf("upper-case letters: code %d, errors %q", code, stderr)
	}
	if code, _, stderr := push(repository); code != 1 || !strings.Contains(stderr, "--runtime-binary FILE") {
		t.Errorf("no program: code %d, errors %q", code, stderr)
	}
	if code, _, stderr := push(repository, "--runtime-binary", "cluster_push_test.go"); code != 1 || !strings.Contains(stderr, "not a Linux program") {
		t.Errorf("a text file: code %d, errors %q", code, stderr)
	}
	if code, _, stderr := push(repository, "--runtime-binary", intel, "--shell", "--base", both); code != 1 || !strings.Contains(stderr, "[base shell]") {
		t.Errorf("two bases: code %d, errors %q", code, stderr)
	}
}
