// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// writePage writes the HTML page of a plan. It overwrites only plan pages.
func writePage(path string, plan *planner.Plan) error {
	if err := checkPage(path); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := view.HTML(&b, plan, phrase.Of); err != nil {
		return err
	}
	if err := atomicfile.Write(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the HTML plan: %w", err)
	}
	return nil
}

// checkPage returns an error if path exists and is not a plan page.
func checkPage(path string) error {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || isPage(path) {
		return nil
	}
	return fmt.Errorf("write the HTML plan to %s: the file exists and is not an HTML plan; choose a different name, or remove the file", path)
}

// isPage recognizes a plan page by its first line.
func isPage(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const first = view.HTMLFirstLine + "\n"
	line, err := bufio.NewReader(io.LimitReader(f, int64(len(first)))).ReadString('\n')
	return err == nil && line == first
}
