// SPDX-License-Identifier: MPL-2.0

package module

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/statedir"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

// Fetcher fetches packages into a cache. It fetches each package at most once. It
// is not safe for concurrent use.
type Fetcher struct {
	Cache statedir.Cache
	// Options are the options for network access.
	Options marketplace.Options

	done map[Source]result
}

// result is the fetched package or the error.
type result struct {
	Fetched
	err error
}

// Fetched is a package in the cache.
type Fetched struct {
	// Hash is the hash of the package's content.
	Hash string
	// Commit is the commit of a git repository, or "" for archives.
	Commit string
}

// Fetch fetches a package, which is a git repository or an archive. The error
// text is a clause that explains why the package cannot be fetched.
func (f *Fetcher) Fetch(ctx context.Context, s Source) (Fetched, error) {
	s.Dir = "" // a package can contain several modules
	if done, ok := f.done[s]; ok {
		return done.Fetched, done.err
	}
	if f.done == nil {
		f.done = map[Source]result{}
	}
	found, err := f.fetch(ctx, s)
	f.done[s] = result{found, err}
	return found, err
}

func (f *Fetcher) fetch(ctx context.Context, s Source) (Fetched, error) {
	stage, err := f.Cache.Stage()
	if err != nil {
		return Fetched{}, err
	}
	defer func() { _ = os.RemoveAll(stage) }()
	commit, err := f.download(ctx, s, filepath.Join(stage, "archive"))
	if err != nil {
		return Fetched{}, err
	}
	tree := filepath.Join(stage, "tree")
	if err := unpack(ctx, filepath.Join(stage, "archive"), tree); err != nil {
		return Fetched{}, err
	}
	hash, err := f.Cache.Put(tree)
	if err != nil {
		return Fetched{}, err
	}
	return Fetched{hash, commit}, nil
}

// download writes the package as an archive to a file.
func (f *Fetcher) download(ctx context.Context, s Source, to string) (commit string, err error) {
	switch s.Kind {
	case Git:
		limits := marketplace.DefaultLimits
		if f.Options.Limits != nil {
			limits = *f.Options.Limits
		}
		limits.Files, limits.ListBytes = MaxFiles, MaxBytes
		options := f.Options
		options.Limits = &limits
		return marketplace.ArchiveRepository(ctx, s.Package, s.Revisions(), to, options)
	case Archive:
		content, err := marketplace.Download(ctx, s.Package, MaxBytes, f.Options)
		if err != nil {
			return "", err
		}
		return "", os.WriteFile(to, content, 0o600)
	}
	panic("module: a directory cannot be fetched")
}

func unpack(ctx context.Context, archive, dir string) error {
	f := fetch.Fetcher{Limits: fetch.Limits{Entries: MaxFiles, Bytes: MaxBytes}}
	abs, err := filepath.Abs(archive)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	err = f.Fetch(ctx, runspec.Fetch{URL: abs, To: dir, Extract: true})
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, fetch.ErrNotArchive):
		return errors.New("the server sent a file that is not an archive")
	}
	return errors.New(strings.TrimPrefix(err.Error(), abs+": ")) // the path of a temporary file does not help users
}
