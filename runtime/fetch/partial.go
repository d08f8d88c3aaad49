// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"
	"time"
)

// partial is the file that a download writes. The file belongs to the process
// that holds its lock. The file remains after the process ends. The state
// file lets another process resume the download.
type partial struct {
	file  *os.File
	hash  hash.Hash
	size  int64
	state state
}

// state is the content of the state file, which is next to the partial file.
type state struct {
	// Address is the source of the bytes, without credentials.
	Address string `json:"address"`
	// Validator is a strong ETag or the modification date, for If-Range.
	Validator string `json:"validator,omitempty"`
	// Total is the size of the whole file, or -1 if the server did not report the
	// size.
	Total int64 `json:"total"`
}

const stateSuffix = ".json"

// lockPause is the time between two attempts to lock a file.
const lockPause = 50 * time.Millisecond

// openPartial opens and locks a partial file. If another process holds the lock,
// openPartial calls waiting() once, and then waits.
func openPartial(ctx context.Context, name string, waiting func()) (*partial, error) {
	for reported := false; ; {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		locked, err := tryLock(f)
		switch {
		case err != nil && noLocks(err):
			_ = f.Close()
			return privatePartial(name)
		case err != nil:
			_ = f.Close()
			return nil, err
		case locked && sameFile(f, name):
			return loadPartial(ctx, f)
		}
		_ = f.Close()
		if locked {
			continue // another process moved the file after this process opened it
		}
		if !reported {
			waiting()
			reported = true
		}
		if err := sleep(ctx, lockPause); err != nil {
			return nil, err
		}
	}
}

// privatePartial creates a partial file with a unique name, for file systems
// that do not support locks.
func privatePartial(name string) (*partial, error) {
	f, err := os.CreateTemp(filepath.Dir(name), stagingPattern)
	if err != nil {
		return nil, err
	}
	return &partial{file: f, hash: sha256.New(), state: state{Total: -1}}, nil
}

func sameFile(f *os.File, name string) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(here, there)
}

// loadPartial reads the state from an earlier process.
func loadPartial(ctx context.Context, f *os.File) (*partial, error) {
	p := &partial{file: f, hash: sha256.New(), state: state{Total: -1}}
	text, err := os.ReadFile(f.Name() + stateSuffix)
	if err != nil || json.Unmarshal(text, &p.state) != nil || p.state.Total < -1 {
		return p, p.restart()
	}
	p.size, err = io.CopyBuffer(p.hash, contextReader{ctx, f}, make([]byte, copySize))
	if err != nil {
		_ = f.Close()
	}
	return p, err
}

// restart discards all data and state.
func (p *partial) restart() error {
	p.hash.Reset()
	p.size, p.state = 0, state{Total: -1}
	_ = os.Remove(p.file.Name() + stateSuffix)
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	_, err := p.file.Seek(0, io.SeekStart)
	return err
}

// describe records the origin of the bytes that fill appends next.
func (p *partial) describe(s state) error {
	p.state = s
	text, err := json.Marshal(s)
	if err != nil {
		panic("fetch: " + err.Error())
	}
	name := p.file.Name() + stateSuffix
	if err := os.WriteFile(name+".tmp", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// fill appends the data from r and reports progress. Disk errors are permanent.
func (p *partial) fill(r io.Reader, buf []byte, progress func(bytes, total int64)) error {
	for {
		n, err := r.Read(buf)
		written, writeErr := p.file.Write(buf[:n])
		p.hash.Write(buf[:written])
		p.size += int64(written)
		progress(p.size, p.state.Total)
		if writeErr != nil {
			return permanent(writeErr)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (p *partial) sum() string { return hex.EncodeToString(p.hash.Sum(nil)) }

// complete removes the state, which is used only to resume a download.
func (p *partial) complete() { _ = os.Remove(p.file.Name() + stateSuffix) }

// close releases the lock. It does not remove the file, so that the download can be
// resumed.
func (p *partial) close() { _ = p.file.Close() }

// discard removes the partial file and its state. If the file was moved to its
// destination, discard removes nothing, because a file with the old name can
// belong to another process.
func (p *partial) discard() {
	if sameFile(p.file, p.file.Name()) {
		p.complete()
		_ = os.Remove(p.file.Name())
	}
	_ = p.file.Close()
}
