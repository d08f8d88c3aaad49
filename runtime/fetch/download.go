// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// download is the state of one file transfer from a server.
type download struct {
	*job
	store    *store // nil without a cache
	part     *partial
	key      string
	sum      string // declared, or ""
	begun    time.Time
	seen     *origin // previous content of the URL; set only if no sum is declared
	last     origin  // validators of the last response
	mismatch string  // wrong digest of the last complete download
	high     int64   // largest size that the partial file has reached
	buf      []byte
}

// download returns the content of the file, from the cache if possible.
func (j *job) download(ctx context.Context) (*content, error) {
	d := &download{job: j, sum: strings.ToLower(j.want.SHA256), buf: make([]byte, copySize), begun: j.Now()}
	d.key = d.sum
	if d.sum == "" {
		d.key = cacheKey(j.address.URL.String())
	}
	if j.cache != "" {
		var err error
		if d.store, err = openStore(j.cache, j.CacheBytes, j.Now); err != nil {
			return nil, err
		}
	}
	if d.sum != "" {
		if c, err := d.cached(d.sum); c != nil || err != nil {
			return c, err
		}
	}
	return d.uncached(ctx)
}

func cacheKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "address-" + hex.EncodeToString(sum[:])
}

func (d *download) cached(sum string) (*content, error) {
	if d.store == nil {
		return nil, nil
	}
	return d.store.open(sum)
}

// uncached holds the partial file's lock during the download. Another process
// may finish the same download while this process waits for the lock.
func (d *download) uncached(ctx context.Context) (*content, error) {
	var err error
	d.waitForOther(func(waiting func()) {
		if d.store != nil {
			d.part, err = d.store.openPartial(ctx, d.key, waiting)
		} else {
			d.part, err = openPartial(ctx, filepath.Join(d.staging(), ".fetch-"+d.key), waiting)
		}
	})
	if err != nil {
		return nil, err
	}
	c, err := d.locked(ctx)
	if c == nil {
		d.part.close()
	}
	return c, err
}

// waitForOther calls lock. If lock must wait, lock calls the function
// waiting, which reports that the download waits for another task.
func (j *job) waitForOther(lock func(waiting func())) {
	const reason = stage.WaitsForOther
	waited := false
	lock(func() {
		waited = true
		j.Log(locator.Show(j.want.URL) + ": " + reason)
		j.Waiting(reason, time.Time{})
	})
	if waited {
		j.Waiting("", time.Time{})
	}
}

func (d *download) locked(ctx context.Context) (*content, error) {
	if d.sum != "" {
		if c, err := d.cached(d.sum); c != nil || err != nil {
			d.part.discard()
			return c, err
		}
	} else if c, err := d.fresh(); c != nil || err != nil {
		d.part.discard()
		return c, err
	}
	d.high = d.part.size
	d.Waiting("waits for the first byte", time.Time{})
	if err := d.withRetry(ctx, func() error { return d.attempt(ctx) }, func() int64 { return d.high }); err != nil && !errors.Is(err, errUnchanged) {
		return nil, d.keepPartial(err)
	} else if errors.Is(err, errUnchanged) {
		return d.unchanged()
	}
	return d.finish()
}

// fresh returns content that another process has downloaded from the URL since
// this download began. Otherwise, it returns nil and stores the recorded origin
// of the previous content in d.seen.
func (d *download) fresh() (c *content, err error) {
	if d.store == nil {
		return nil, nil
	}
	seen := d.store.lookup(d.key)
	if seen != nil && seen.At.After(d.begun) {
		return d.cached(seen.Sum)
	}
	d.seen = seen
	return nil, nil
}

// keepPartial keeps the partial file for the next attempt. It deletes the
// partial file if the file is empty or there is no cache.
func (d *download) keepPartial(err error) error {
	if d.part.size == 0 || d.store == nil {
		d.part.discard()
	}
	return err
}

// unchanged returns the cached content after the server's response "not
// modified".
func (d *download) unchanged() (*content, error) {
	c, err := d.cached(d.seen.Sum)
	if c != nil {
		d.part.discard()
	}
	if c == nil && err == nil {
		err = errCorrupt // the cache evicted the object after the request was sent
	}
	return c, err
}

// finish publishes a complete and verified file.
func (d *download) finish() (*content, error) {
	sum := d.part.sum()
	if d.store == nil {
		part := d.part
		part.complete()
		_, err := part.file.Seek(0, io.SeekStart)
		return &content{file: part.file, sum: sum, verified: true, owned: true, done: part.discard}, err
	}
	if d.sum == "" {
		d.last.Sum = sum
		if err := d.store.record(d.key, d.last); err != nil {
			return nil, err
		}
	}
	return d.store.publish(d.part)
}

// attempt makes one attempt.
func (d *download) attempt(ctx context.Context) error {
	from := d.part.size
	if from > 0 && from == d.part.state.Total {
		return d.check(from)
	}
	r, err := d.ask(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	if err := d.accept(r); err != nil {
		return err
	}
	from = d.part.size
	err = d.part.fill(r.Body, d.buf, d.Progress)
	d.high = max(d.high, d.part.size)
	switch total := d.part.state.Total; {
	case err != nil && !isPermanent(err):
		return &brokenError{fmt.Errorf("the connection broke after %d bytes: %w", d.part.size, unwrapURLError(err))}
	case err != nil:
		return err
	case total >= 0 && d.part.size != total:
		return d.wrongLength(total)
	}
	return d.check(from)
}

// check verifies the declared digest. If the digest of a resumed download is
// wrong, the download starts again, because the earlier part may be damaged. If a
// server sends the same wrong content twice, the error is permanent.
func (d *download) check(continued int64) error {
	got := d.part.sum()
	if d.sum == "" || got == d.sum {
		return nil
	}
	if err := d.part.restart(); err != nil {
		return permanent(err)
	}
	if continued > 0 {
		return restartError{mismatch(got, d.sum)}
	}
	if got == d.mismatch {
		return permanent(mismatch(got, d.sum))
	}
	d.mismatch = got
	return mismatch(got, d.sum)
}

func (d *download) wrongLength(total int64) error {
	got := d.part.size
	if got > total {
		if err := d.part.restart(); err != nil {
			return permanent(err)
		}
	}
	return &brokenError{fmt.Errorf("the server announced %d bytes but sent %d", total, got)}
}
