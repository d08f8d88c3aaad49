// SPDX-License-Identifier: MPL-2.0

// Package plugin implements the runtime plugins. A plugin is the part of a step
// that runs before the callbacks of the step. It accesses the task only through the
// interface Task, which package runtime implements.
//
// Plugins are identified by their short names. Names with the prefix custom/ refer
// to programs in the plugin directory, which have the layout of openpai-runtime
// plugins.
package plugin
