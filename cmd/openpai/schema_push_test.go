// SPDX-License-Identifier: MPL-2.0

package main

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

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
)

func TestPushRuntimeMatchesItsSchema(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(s.Close)
	program := filepath.Join(t.TempDir(), "runtime")
	h := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT), Ehsize: 64, Phentsize: 56, Shentsize: 64}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	var content, stdout, stderr bytes.Buffer
	if err := binary.Write(&content, binary.LittleEndian, h); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, content.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{"cluster", "push-runtime", strings.TrimPrefix(s.URL, "http://") + "/openpai/runtime", "--runtime-binary", program, "--json"}
	if code := cli.Main(args, cli.NewStreams(nil, &stdout, &stderr), "v1.2"); code != 0 {
		t.Fatalf("code %d, errors %q", code, stderr.String())
	}
	if err := matches(outputOf["cluster push-runtime"], stdout.Bytes()); err != nil {
		t.Errorf("%v: %s", err, stdout.String())
	}
}
