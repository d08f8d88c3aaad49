// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// setSize is the maximum number of jobs that are imported into one directory.
const setSize = 10

// mergeSet is a set of jobs with different labels.
type mergeSet struct {
	files  []file
	labels map[string]bool
}

// mergeSets groups the files into sets of at most setSize files. It skips
// files without a job and jobs with errors. The jobs in a set have different
// labels.
func mergeSets(files []file) []*mergeSet {
	var sets []*mergeSet
	for _, f := range files {
		job := resolvedJob(f.path)
		if job == nil {
			continue
		}
		label := job.Declared.Label
		placed := false
		for _, s := range sets {
			if placed = len(s.files) < setSize && !s.labels[label]; placed {
				s.files, s.labels[label] = append(s.files, f), true
				break
			}
		}
		if !placed {
			sets = append(sets, &mergeSet{[]file{f}, map[string]bool{label: true}})
		}
	}
	return sets
}

// resolvedJob returns the resolved job of a file, or nil if the file has
// errors or does not contain exactly one job.
func resolvedJob(path string) *resolve.Job {
	loaded, diags := workspace.Load(workspace.Options{Path: path})
	if diags.HasErrors() || len(loaded.Workspace.Jobs) != 1 {
		return nil
	}
	jobs, diags := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "corpus"})
	if diags.HasErrors() {
		return nil
	}
	return jobs[0]
}

// check returns the first difference between the imported jobs and the YAML files,
// or "". If import keeps the download commands, an imported job must keep its
// hash. Two further imports must only produce a valid workspace. The first of
// these imports converts downloads to fetches, and imports the files in two
// halves. The other import merges prerequisites that differ in one string.
func (s *mergeSet) check(dir string) string {
	same, fetched := filepath.Join(dir, "same"), filepath.Join(dir, "fetched")
	if p := importFiles(same, s.files, "--keep-downloads"); p != "" {
		return p
	}
	jobs, problem := readMerged(same)
	if problem == "" {
		problem = s.compare(jobs)
	}
	if problem != "" {
		return problem
	}
	half := (len(s.files) + 1) / 2
	for _, files := range [][]file{s.files[:half], s.files[half:]} {
		if p := importFiles(fetched, files); p != "" {
			return p
		}
	}
	if _, problem = readMerged(fetched); problem != "" {
		return problem
	}
	templates := filepath.Join(dir, "templates")
	if p := importFiles(templates, s.files, "--merge"); p != "" {
		return p
	}
	_, problem = readMerged(templates)
	return problem
}

func importFiles(dir string, files []file, options ...string) string {
	if len(files) == 0 {
		return ""
	}
	args := append([]string{"import", "--dir", dir}, options...)
	for _, f := range files {
		args = append(args, f.path)
	}
	var failed bytes.Buffer
	if code := cli.Main(args, cli.NewStreams(strings.NewReader(""), io.Discard, &failed), ""); code != 0 {
		return fmt.Sprintf("import exited with code %d: %s", code, lastLines(failed.String()))
	}
	return ""
}

func readMerged(dir string) (map[string]*resolve.Job, string) {
	loaded, diags := workspace.Load(workspace.Options{Path: dir})
	jobs, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "corpus"})
	if p := firstError(append(diags, more...)); p != "" {
		return nil, "the directory is not valid: " + p
	}
	byLabel := map[string]*resolve.Job{}
	for _, job := range jobs {
		byLabel[job.Declared.Label] = job
	}
	return byLabel, ""
}

func (s *mergeSet) compare(jobs map[string]*resolve.Job) string {
	for _, f := range s.files {
		own := resolvedJob(f.path)
		merged := jobs[own.Declared.Label]
		if merged == nil {
			return f.name + ": the job is not in the directory"
		}
		before, fields := planner.Hashes(own)
		after, changed := planner.Hashes(merged)
		if before != after {
			return fmt.Sprintf("%s: the resolved job differs in %s", f.name, firstDifference(fields, changed))
		}
	}
	return ""
}

// firstDifference returns the first field whose hash differs, or "".
func firstDifference(before, after map[string]string) string {
	for _, path := range sortedKeys(before) {
		if before[path] != after[path] {
			return path
		}
	}
	for _, path := range sortedKeys(after) {
		if before[path] == "" {
			return path
		}
	}
	return ""
}

func lastLines(text string) string {
	if len(text) > 1500 {
		text = "..." + text[len(text)-1500:]
	}
	return text
}

// checkMerged returns the total number of jobs and the number of failed sets.
func checkMerged(files []file) (jobs, failed int, err error) {
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	for i, s := range mergeSets(files) {
		jobs += len(s.files)
		if p := s.check(filepath.Join(dir, fmt.Sprint(i))); p != "" {
			failed++
			fmt.Fprintf(os.Stdout, "FAIL import of set %d: %s\n", i, p)
		}
	}
	return jobs, failed, nil
}
