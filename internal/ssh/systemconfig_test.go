// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHostsAreAddedToTheSystemConfig(t *testing.T) {
	t.Parallel()
	const hosts = "Host worker-0\n  Port 1\n"
	for name, c := range map[string]struct {
		system     string // "": the file does not exist
		want, part string // of the system-wide file and of the separate file
	}{
		"an old client":                    {"Host *\n  SendEnv LANG\n", "# hosts of this job\n" + hosts + "Host *\n# end of the hosts of this job\nHost *\n  SendEnv LANG\n", ""},
		"a hosts block without an end":     {"# hosts of this job\nHost old\nHost *\n# end of the hosts of this job\nHost *\n", "# hosts of this job\n" + hosts + "Host *\n# end of the hosts of this job\nHost *\n", ""},
		"a client that reads parts":        {"Include DIR/ssh_config.d/*.conf\n", "Include DIR/ssh_config.d/*.conf\n", hosts},
		"a client that is installed later": {"", "", hosts},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			system, config, part := filepath.Join(dir, "ssh_config"), filepath.Join(dir, "config"), filepath.Join(dir, "ssh_config.d", "00-openpai-job.conf")
			in := func(text string) string { return replaceDir(text, dir) }
			write(t, config, hosts)
			if c.system != "" {
				write(t, system, in(c.system))
			}
			remove, err := AddSystemConfig(system, config)
			if err != nil {
				t.Fatal(err)
			}
			if got := read(system); got != in(c.want) {
				t.Errorf("system-wide\n%s\nwant\n%s", got, in(c.want))
			}
			if got := read(part); got != c.part {
				t.Errorf("part\n%s\nwant\n%s", got, c.part)
			}
			remove()
			if got := read(system); got != in(withoutBlock(c.system)) || read(part) != "" {
				t.Errorf("afterwards %q and %q", got, read(part))
			}
		})
	}
}

func TestWrappersAreWrittenOnlyForInstalledClients(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "config")
	write(t, config, "Host worker-0\n")
	bin, err := WriteWrappers(config, func(name string) (string, bool) { return "/opt/my client/" + name, name == "ssh" })
	if err != nil || bin != filepath.Join(dir, "bin") {
		t.Fatalf("directory %q, error %v", bin, err)
	}
	want := "#!/bin/sh\nexec '/opt/my client/ssh' -F '" + config + ".all' \"$@\"\n"
	if got := read(filepath.Join(bin, "ssh")); got != want {
		t.Errorf("wrapper %q, want %q", got, want)
	}
	if entries, err := os.ReadDir(bin); err != nil || len(entries) != 1 {
		t.Errorf("programs %v, error %v", entries, err)
	}
	if bin, err := WriteWrappers(config, func(string) (string, bool) { return "", false }); bin != "" || err != nil {
		t.Errorf("without a client: directory %q, error %v", bin, err)
	}
}

func replaceDir(text, dir string) string { return strings.ReplaceAll(text, "DIR", dir) }

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read returns the content of a file, or "" if it does not exist.
func read(file string) string {
	text, _ := os.ReadFile(file)
	return string(text)
}
