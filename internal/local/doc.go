// SPDX-License-Identifier: MPL-2.0

// Package local is the embedded cluster on the local machine. It stores
// Framework objects in a workspace's .openpai directory. Each Framework has a
// detached supervisor, which outlives the command that started it. A task is a
// session of processes that the runtime controls, as in a container.
//
// The parts are the files
// ([github.com/openpai/terraform-provider-openpai/internal/local/store]), the
// commands that write and read these files, the supervisor, and the process of a
// task ([github.com/openpai/terraform-provider-openpai/internal/local/task]). The
// supervisor drives a Framework through the states of FrameworkController and
// records each change before it acts on the change.
// Package internal/framework implements the rules for completion and retries.
// Package runtime executes the steps inside a task.
//
// Files under .openpai:
//
//	lock                                   held by the command that changes jobs
//	bin/<sha256>/<name>                    the program, for supervisors and tasks
//	frameworks/<framework>/framework.json  metadata and spec, written by commands
//	frameworks/<framework>/status.json     status, written by the supervisor
//	frameworks/<framework>/stop, delete    requests that did not fit into framework.json
//	frameworks/<framework>/…               ConfigMaps, bindings, supervisor files
//	records/<framework>.json               applied configuration and outcome
//	secrets/                               values, mode 0600
//	attempts/<framework>/<attempt>/<role>-<index>/<task attempt>/
//
// The local cluster supports Linux and macOS. On other systems, [Open] fails.
package local
