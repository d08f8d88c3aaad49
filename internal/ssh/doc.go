// SPDX-License-Identifier: MPL-2.0

// Package ssh implements the SSH service of a task. The server requires neither
// sshd nor an account in the image. The task therefore needs no network access to
// install sshd. The package also provides an SSH client. The package writes the
// client files that the tasks of a job use to reach each other.
//
// There are no passwords. Clients log in with the job's key, or with a key that the
// job authorizes. apply generates the job's key and stores it in a Secret. All
// tasks of a job share a host key. The host key is derived from the job's key.
// Everyone who has the job's key can therefore verify the host. Clients do not
// trust a host key on first use.
//
// The server runs on Linux and macOS. Keys, the client and the client files are
// available on every system.
package ssh
