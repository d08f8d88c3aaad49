package framework

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// CompressionLimit is the size of the JSON of the task role statuses from
// which on it is stored compressed. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/constants.go.
const CompressionLimit = 700 * 1024

// maxDecompressed bounds what is read from a compressed status: 10,000 tasks
// with full diagnostics take less.
const maxDecompressed = 256 << 20

// Roles returns the statuses of the task roles, whether they are stored plain
// or compressed. The plain ones win when both are there.
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
		return nil, fmt.Errorf("decompress task role statuses: more than %d bytes", maxDecompressed)
	}
	var roles []TaskRoleStatus
	if err := json.Unmarshal(text, &roles); err != nil {
		return nil, fmt.Errorf("read task role statuses: %w", err)
	}
	return roles, nil
}

// Compress replaces task role statuses of at least [CompressionLimit] bytes of
// JSON by their compressed form.
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
