package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime/initialize"
)

// initialiseOptions are the surroundings of this init container.
func initialiseOptions(p places, getenv func(string) string, stdout, stderr io.Writer) initialize.Options {
	return initialize.Options{
		Root: p.root, ConfigDirs: p.config, SourceDir: p.source, LogDir: p.logs, SecretsDir: p.secrets,
		TokenDir: p.token, DockerConfig: p.logins, TerminationFile: p.initTermination,
		Environ: os.Environ(), Getenv: getenv, Stdout: stdout, Stderr: stderr, Now: time.Now,
	}
}

// initialise is the init container. SIGTERM ends it in good order.
func initialise(p places, getenv func(string) string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return initialize.Run(ctx, initialiseOptions(p, getenv, stdout, stderr))
}

// initPlugin is one built-in init plugin by itself.
func initPlugin(p places, getenv func(string) string, stdout, stderr io.Writer, name string, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return initialize.RunPlugin(ctx, initialiseOptions(p, getenv, stdout, stderr), name, args)
}
