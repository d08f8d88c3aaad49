// SPDX-License-Identifier: MPL-2.0

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// UnreadableError reports a store file that exists but cannot be read.
type UnreadableError struct {
	File string
	Err  error
}

func (e *UnreadableError) Error() string { return fmt.Sprintf("read %s: %s", e.File, e.Err) }

func (e *UnreadableError) Unwrap() error { return e.Err }

// ReadJSON reads a file that WriteJSON wrote. The error wraps os.ErrNotExist if
// the file does not exist. Every other error is an [UnreadableError].
func ReadJSON(name string, into any) error {
	text, err := readFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read: %w", err)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err == nil && string(bytes.TrimSpace(text)) == "null" {
		err = errors.New("it holds no value")
	}
	if err != nil {
		return &UnreadableError{File: name, Err: err}
	}
	return nil
}

// WriteJSON atomically replaces a file with the JSON encoding of a value.
func WriteJSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return atomicfile.Write(name, append(text, '\n'), 0o644)
}
