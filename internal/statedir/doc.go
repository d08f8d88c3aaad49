// SPDX-License-Identifier: MPL-2.0

// Package statedir manages .openpai, the state directory of a workspace, for
// several packages. It stores content under its hash ([Cache]), and excludes
// the directory from version control ([Ignore]).
//
// A repository or an archive can contain symbolic links at the paths of the
// directories in .openpai. This package does not write through such links.
//
// Other packages define the formats of the contents: internal/local/store (local
// cluster), internal/lockfile (cached items) and internal/module (cached
// packages).
package statedir

// Name is the name of the state directory in a workspace.
const Name = ".openpai"
