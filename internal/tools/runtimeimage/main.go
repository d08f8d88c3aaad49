// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, phrase.Error(err))
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: build -out DIR | -push IMAGE [-shell [-cache DIR] | -base IMAGE] [-version TEXT] ARCH=PROGRAM [ARCH=PROGRAM]")

// order contains the command-line options.
type order struct {
	out, push string
	base      runtimeimage.Base
	version   string
	programs  map[string]string // by processor
}

func parse(args []string) (*order, error) {
	o := &order{programs: map[string]string{}}
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	flags.StringVar(&o.out, "out", "", "write an OCI layout into this directory")
	flags.StringVar(&o.push, "push", "", "push to this reference")
	flags.BoolVar(&o.base.Shell, "shell", false, "use the small base image with a shell")
	flags.StringVar(&o.base.Cache, "cache", "", "cache the downloads for the small base image in this directory")
	flags.StringVar(&o.base.Image, "base", "", "use this base image")
	flags.StringVar(&o.version, "version", "", "version in the labels of the image")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	for _, arg := range flags.Args() {
		arch, file, found := strings.Cut(arg, "=")
		if !found {
			return nil, errUsage
		}
		o.programs[arch] = file
	}
	if len(o.programs) == 0 || o.out == "" && o.push == "" || o.base.Shell && o.base.Image != "" {
		return nil, errUsage
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	base, err := o.base.Index(ctx, o.programs)
	if err != nil {
		return err
	}
	index, err := runtimeimage.Build(o.programs, runtimeimage.Options{Base: base, Version: o.version})
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := write(o.out, index, stdout); err != nil {
			return err
		}
	}
	if o.push != "" {
		reference, err := runtimeimage.Push(ctx, o.push, index)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(stdout, reference)
	}
	return nil
}

// write replaces the directory with an OCI layout. It prints the directory
// and the digest of the index.
func write(dir string, index v1.ImageIndex, stdout io.Writer) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	// Programs that push layouts expect exactly one entry in index.json: a
	// reference to the image's index.
	path, err := layout.Write(dir, empty.Index)
	if err == nil {
		err = path.AppendIndex(index)
	}
	if err != nil {
		return fmt.Errorf("write the runtime image: %w", err)
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "%s %s\n", dir, digest)
	return nil
}
