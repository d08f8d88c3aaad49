package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// exitFailed is what a release ends with that was not carried out.
const exitFailed = 3

// release ends the callback that holds the task of this container.
func release(p paths, stderr io.Writer) int {
	err := stage.RequestRelease(context.Background(), p.root)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, stage.ErrNotHeld):
		return contract.ExitNotHeld
	}
	_, _ = fmt.Fprintln(stderr, err)
	return exitFailed
}
