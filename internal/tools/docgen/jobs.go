package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// patience bounds the end of the jobs of one example.
const patience = time.Minute

// endJobs ends the jobs that an example ran and returns when nothing of them
// writes below the directory any more.
func endJobs(dir string) error {
	frameworks, err := os.ReadDir(filepath.Join(dir, ".openpai", "frameworks"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, f := range frameworks {
		if err := c.Delete(ctx, f.Name()); err != nil {
			return err
		}
	}
	return nil
}
