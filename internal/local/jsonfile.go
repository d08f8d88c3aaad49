package local

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// readJSON reads a file that writeJSON wrote. The error wraps os.ErrNotExist
// when there is none.
func readJSON(name string, into any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// writeJSON replaces a file as a whole.
func writeJSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return atomicfile.Write(name, append(text, '\n'), 0o644)
}
