// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// CompressionLimit is the minimum JSON size, in bytes, at which task role
// statuses are compressed. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/constants.go.
const CompressionLimit = 700 * 1024

// maxDecompressed is the maximum number of bytes read from a compressed status.
// It is larger than the status of 10,000 tasks with full diagnostics.
const maxDecompressed = 256 << 20

// Roles returns the statuses of the task roles, decompressed if necessary. If s
// contains both forms, Roles returns the uncompressed form.
func (s *AttemptStatus) Roles() ([]TaskRoleStatus, error) {
	if s.TaskRoleStatuses != nil || len(s.TaskRoleStatusesCompressed) == 0 {
		return s.TaskRoleStatuses, nil
	}
	zr, err := gzip.NewReader(bytes.NewReader(s.TaskRoleStatusesCompressed))
	if err != nil {
		return nil, fmt.Errorf("decompress task role statuses: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(zr, maxDecompressed+1))
	if err != nil {
		return nil, fmt.Errorf("decompress task role statuses: %w", err)
	}
	if len(text) > maxDecompressed {
		return nil, fmt.Errorf("decompress task role statuses: result exceeds the limit of %d bytes", maxDecompressed)
	}
	var roles []TaskRoleStatus
	if err := json.Unmarshal(text, &roles); err != nil {
		return nil, fmt.Errorf("read task role statuses: %w", err)
	}
	return roles, nil
}

// Compress compresses the task role statuses if their JSON has at least
// [CompressionLimit] bytes.
func (s *AttemptStatus) Compress() error {
	text, err := json.Marshal(s.TaskRoleStatuses)
	if err != nil {
		return fmt.Errorf("write task role statuses: %w", err)
	}
	if len(text) < CompressionLimit {
		return nil
	}
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	if _, err := zw.Write(text); err != nil {
		return fmt.Errorf("compress task role statuses: %w", err)
	}
	if err := zw.Close(); err != nil {
		return fmt.Errorf("compress task role statuses: %w", err)
	}
	s.TaskRoleStatuses, s.TaskRoleStatusesCompressed = nil, packed.Bytes()
	return nil
}
