// SPDX-License-Identifier: MPL-2.0

// Package plugin implements the runtime plugins: the part of a step that runs
// before its callbacks. It accesses the task only through the interface Task,
// which package runtime implements.
//
// Plugins are identified by their short names. Names with the prefix custom/
// are programs in the plugin directory, with the layout of openpai-runtime
// plugins.
package plugin
