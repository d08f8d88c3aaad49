// SPDX-License-Identifier: MPL-2.0

// Command corpus uses a folder of real job files to check the front ends and the
// planner. Valid files must load, resolve, render and survive the round trip
// through HCL. Invalid files must be rejected for the stated reason. Corpus prints
// a table of counts and warnings, and fails if a file does not behave as expected.
//
//	corpus FOLDER
//
// The folder contains the directories jobs-v2 (valid jobs), legacy-tasks (the older
// format), seeds and invalid. In seeds and invalid, EXPECTED.tsv lists the expected
// results. The optional directory differential contains jobs that readers of the
// protocol interpret differently. For the files in this directory, corpus checks
// only that they do not cause a crash. Other tests check how such jobs are
// interpreted. The checks are generic and do not depend on file names.
package main
