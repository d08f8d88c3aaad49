// SPDX-License-Identifier: MPL-2.0

// Package workspace is the only package that loads a workspace. It reads a
// directory of HCL files, or a single file. It returns all diagnostics and a model
// with all values.
//
// It finds the files, rejects files that are too large, and collects the values of
// variables. It calls the front ends (hclspec/syntax and hclspec/protocol) and
// then checks the whole model. It does not interpret jobs; planner/resolve does.
// Callers pass the environment (variables, user, version of the program) in
// [Options]. The package itself reads only files. [Load] does not write files.
// [Loaded.Init] and [Loaded.LockDigests] write the lock file. [Loaded.Init] also
// writes the contents of items to a directory next to the lock file.
package workspace
