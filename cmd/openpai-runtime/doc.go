// SPDX-License-Identifier: MPL-2.0

// Command openpai-runtime runs inside every container of a task.
//
//	openpai-runtime init      as the init container: prepare the shared volume
//	openpai-runtime run       as the task; the default under the program name "runtime"
//	openpai-runtime plugin NAME ...   run one init plugin; the default under a plugin's name
//	openpai-runtime version
//
// It reads the run specification from PAI_CONFIG_DIR (default
// /usr/local/pai-config) or RUNTIME_CONFIG. It reads its task role and index
// from FrameworkController's FC_* variables.
package main
