// SPDX-License-Identifier: MPL-2.0

package main

import (
	_ "embed"
	"os"
	"path/filepath"
)

// These files define the workspace of every round. Its tasks record their
// events in the ledger file.
var (
	//go:embed testdata/main.pai.hcl
	configuration []byte
	//go:embed testdata/task.sh
	script []byte
)

// ledgerFile is the name of the ledger in the workspace directory.
const ledgerFile = "ledger"

// uidsFile contains the UIDs of the Frameworks that ran tasks.
const uidsFile = "uids"

// expected is the list of the jobs in the configuration.
var expected = []job{
	{name: "alone", tasks: []task{{"worker", 0}, {"worker", 1}, {"worker", 2}}},
	{name: "gang", tasks: []task{{"chief", 0}, {"worker", 0}, {"worker", 1}}},
	{name: "stubborn", tasks: []task{{"worker", 0}}, failures: 1},
}

// job describes how a job behaves if none of its processes is killed.
type job struct {
	name     string
	tasks    []task
	failures int // failing attempts before the successful attempt
}

// task identifies a task within a job.
type task struct {
	role  string
	index int
}

func writeWorkspace(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "task.sh"), script, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.pai.hcl"), configuration, 0o644)
}
