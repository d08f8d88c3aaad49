// SPDX-License-Identifier: MPL-2.0

// Package module fetches modules. A module is a directory of configuration files in
// a git repository or an archive on a web server. [Parse] parses the source of a
// module. [Fetcher] fetches the module. [NewCache] returns a cache that stores
// fetched modules by content hash.
//
// A source has two parts: a package, and a directory in the package. The
// package is an entire repository, archive or directory. [Fetcher] fetches and
// hashes the entire package. A module can therefore call other modules in its
// package.
//
// This package does not read the configuration of a module. internal/workspace
// reads the configuration, and internal/lockfile records the hashes.
// internal/marketplace accesses the network, and runtime/fetch unpacks archives.
package module
