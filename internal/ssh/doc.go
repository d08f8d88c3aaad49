// SPDX-License-Identifier: MPL-2.0

// Package ssh implements the SSH service of a task. The server requires neither
// sshd nor an account in the image, and no network access to install sshd. It also
// provides the client and the files that the tasks of a job use to reach each
// other.
//
// There are no passwords. Clients log in with the job's key, or with one of the
// keys whose public keys the job specifies. apply generates the job's key and
// stores it in a Secret. The host key of all tasks of a job is derived from the
// job's key, so that everyone who has the job's key can verify the host. Clients do
// not trust a host key on first use.
//
// The server runs on Linux and macOS. Keys, the client and the client files are
// available on every system.
package ssh
