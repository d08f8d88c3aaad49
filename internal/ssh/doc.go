// Package ssh is the SSH service of a task: a server that needs no sshd, no
// account and no network in the image, and what the tasks of a job need to
// reach each other through it.
//
// Nobody logs in with a password. The key of the job, made at apply and kept in
// a Secret, may log in, and whichever public keys the job adds. The host key of
// all tasks of a job is derived from the job's key, so that who has the job's
// key also knows whom to trust; there is nothing to accept on first use.
//
// The server runs on Linux and macOS; keys, client and client files everywhere.
package ssh
