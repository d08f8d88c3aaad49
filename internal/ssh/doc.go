// SPDX-License-Identifier: MPL-2.0

// Package ssh implements the SSH service of a task: a server that needs no sshd
// and no account in the image, and no network to install them. It also provides
// the client and the files with which the tasks of a job reach each other.
//
// There are no passwords. The key of the job, which apply generates and stores
// in a Secret, may log in, and so may the public keys that the job adds. The
// host key of all tasks of a job is derived from the job's key, so that
// everyone who has the job's key can verify the host; there is no trust on
// first use.
//
// The server runs on Linux and macOS; keys, client and client files work
// everywhere.
package ssh
