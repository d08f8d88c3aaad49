package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"

	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: build -out DIR | -push IMAGE [-base IMAGE] [-version TEXT] ARCH=PROGRAM [ARCH=PROGRAM]")

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	out := flags.String("out", "", "write an OCI layout into this directory")
	push := flags.String("push", "", "push to this reference")
	base := flags.String("base", "", "lay the runtime over this image, for one with a shell")
	version := flags.String("version", "", "version in the labels of the image")
	if err := flags.Parse(args); err != nil {
		return err
	}
	programs := map[string]string{}
	for _, arg := range flags.Args() {
		arch, file, found := strings.Cut(arg, "=")
		if !found {
			return errUsage
		}
		programs[arch] = file
	}
	if len(programs) == 0 || *out == "" && *push == "" {
		return errUsage
	}
	options := runtimeimage.Options{Version: *version}
	if *base != "" {
		index, err := runtimeimage.Pull(ctx, *base)
		if err != nil {
			return err
		}
		options.Base = index
	}
	index, err := runtimeimage.Build(programs, options)
	if err != nil {
		return err
	}
	if *out != "" {
		if err := write(*out, index, stdout); err != nil {
			return err
		}
	}
	if *push != "" {
		reference, err := runtimeimage.Push(ctx, *push, index)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(stdout, reference)
	}
	return nil
}

// write replaces the OCI layout in a directory and prints its digest.
func write(dir string, index v1.ImageIndex, stdout io.Writer) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if _, err := layout.Write(dir, index); err != nil {
		return fmt.Errorf("write the runtime image: %w", err)
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "%s %s\n", dir, digest)
	return nil
}
