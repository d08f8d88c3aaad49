// SPDX-License-Identifier: MPL-2.0

package store

import (
	"crypto/rand"
	"io"
	"math/big"
	"time"
)

// Binding is the data that a supervisor needs in addition to the objects: the local
// directories of storages, and the bounds on the retry delay after a conflict.
type Binding struct {
	// Mounts maps the name of each task role in the Framework to the mounts of that
	// role.
	Mounts   map[string][]Mount `json:"mounts,omitempty"`
	MinDelay time.Duration      `json:"min_delay_ns"`
	MaxDelay time.Duration      `json:"max_delay_ns"`
}

// Delay returns a random delay between the bounds.
func (b *Binding) Delay(random io.Reader) time.Duration {
	span := int64(b.MaxDelay - b.MinDelay)
	if span <= 0 {
		return b.MinDelay
	}
	n, err := rand.Int(random, big.NewInt(span))
	if err != nil {
		return b.MaxDelay
	}
	return b.MinDelay + time.Duration(n.Int64())
}

// Mount is a storage that a task uses: a local directory and the path at which
// the task expects it.
type Mount struct {
	Storage  string `json:"storage"`
	Source   string `json:"source"` // absolute path
	Target   string `json:"target"`
	ReadOnly bool   `json:"read_only,omitempty"`
}

// InPlace reports whether the task can use the storage without a mount.
func (m Mount) InPlace() bool { return m.Source == m.Target }
