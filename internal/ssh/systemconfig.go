// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Markers of the block that AddSystemConfig inserts into a system-wide
// configuration.
const (
	blockBegin = "# hosts of this job\n"
	blockEnd   = "Host *\n# end of the hosts of this job\n"
)

// AddSystemConfig makes the hosts of a configuration available to ssh clients
// without -F. [WriteClientFiles] must have written the configuration. If the
// system-wide file includes ssh_config.d or does not exist, AddSystemConfig adds a
// file to ssh_config.d. Package managers then find the system-wide file
// unmodified. Otherwise, AddSystemConfig inserts the hosts into the system-wide
// file. The hosts must be at the start, because ssh uses the first value of a
// setting. If the task may not write to these files, the error wraps
// fs.ErrPermission.
func AddSystemConfig(system, config string) (remove func(), err error) {
	hosts, err := os.ReadFile(config)
	if err != nil {
		return nil, fmt.Errorf("read the hosts of the job: %w", err)
	}
	text, err := os.ReadFile(system)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the configuration of ssh clients: %w", err)
	}
	parts := system + ".d"
	if err != nil || strings.Contains(string(text), parts+"/") {
		return addPart(parts, hosts)
	}
	rest := withoutBlock(string(text))
	if err := os.WriteFile(system, []byte(blockBegin+string(hosts)+blockEnd+rest), 0o644); err != nil {
		return nil, fmt.Errorf("write the configuration of ssh clients: %w", err)
	}
	return func() { _ = os.WriteFile(system, []byte(rest), 0o644) }, nil
}

func addPart(dir string, hosts []byte) (remove func(), err error) {
	file := filepath.Join(dir, "00-openpai-job.conf")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create the directory for the configuration of ssh clients: %w", err)
	}
	if err := os.WriteFile(file, hosts, 0o644); err != nil {
		return nil, fmt.Errorf("write the configuration of ssh clients: %w", err)
	}
	return func() { _ = os.Remove(file) }, nil
}

// withoutBlock removes the block that an earlier attempt of this task inserted.
func withoutBlock(text string) string {
	after, found := strings.CutPrefix(text, blockBegin)
	if !found {
		return text
	}
	if _, rest, closed := strings.Cut(after, blockEnd); closed {
		return rest
	}
	return text
}
