// SPDX-License-Identifier: MPL-2.0

package runspec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Read reads the first of the given files that exists. If none exists, the error is
// fs.ErrNotExist.
func Read(names ...string) (*Spec, error) {
	for _, name := range names {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the run specification: %w", err)
		}
		return Parse(name, text)
	}
	return nil, fmt.Errorf("find the run specification in any of the files %q: %w", names, fs.ErrNotExist)
}

// Parse parses a run specification of the current or the previous version.
func Parse(name string, text []byte) (*Spec, error) {
	var spec Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("read the run specification %s: %w", name, err)
	}
	if spec.Version < max(1, Version-1) || spec.Version > Version {
		return nil, fmt.Errorf("the run specification %s has version %d; this runtime supports %d and the previous version; use the runtime image from the release that submitted the job", name, spec.Version, Version)
	}
	return &spec, nil
}
