// SPDX-License-Identifier: MPL-2.0

// Package statedir handles content that several packages keep in .openpai, the
// state directory of a workspace: contents by hash ([Cache]), and the file that
// excludes the directory from version control ([Ignore]).
//
// A repository or an archive may contain symbolic links in place of these
// directories. This package writes nothing through such links.
//
// In the same directory, internal/local/store describes the files of the local
// cluster, internal/lockfile the cached items, and internal/module the cached
// packages.
package statedir

// Name is the name of the directory in a workspace directory.
const Name = ".openpai"
