// SPDX-License-Identifier: MPL-2.0

package main

import (
	"embed"
	"io/fs"

	"github.com/openpai/terraform-provider-openpai/internal/tools/example"
)

//go:embed testdata/errors/*.txtar
var archives embed.FS

// archived contains one archive for each example, under the example's name.
// An archive can contain these steps:
//
//	run: validate .          a command of openpai; the last one shows the diagnostic
//	set: NAME=value          an environment variable
//	copy: FROM TO            a file is replaced
//	damage: NAME             a directory is replaced by an empty file
//	link: NAME TARGET        a symbolic link is made
//	terraform: plan          main.tf is planned, applied, imported, moved or invoked
//	write: .                 a protocol file is written
//	plan-without-mounts: .   a plan on a machine that permits no mounts
//
// With live.json, docgen runs the planner instead of the commands. In live.json, it
// replaces FRAMEWORK with the name of the first job's Framework.
var archived = func() fs.FS {
	dir, err := fs.Sub(archives, "testdata/errors")
	if err != nil {
		panic(err)
	}
	return dir
}()

// session runs one example.
type session struct{ *example.Example }

// readExample returns an error if the entry has no example.
func readExample(code string) (*session, error) {
	e, err := example.Read(archived, code, example.Step{Verb: "run", Text: "validate ."})
	if err != nil {
		return nil, err
	}
	return &session{e}, nil
}
