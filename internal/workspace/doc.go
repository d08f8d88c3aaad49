// SPDX-License-Identifier: MPL-2.0

// Package workspace is the only loader: it turns a directory of HCL files, or one
// file, into one model with all values set and all diagnostics collected.
//
// It finds the files, rejects files that are too large, collects the values of
// variables, and calls the front ends (hclspec/syntax for HCL, hclspec/protocol for
// YAML) and the checks of the whole model. It does not make decisions about jobs;
// that is the task of planner/resolve. Callers pass the environment (variables, user,
// version of the program) in [Options]; the package itself reads only files. [Load]
// does not write files; [Loaded.Init] and [Loaded.LockDigests] write the lock file,
// and the contents of items next to it.
package workspace
