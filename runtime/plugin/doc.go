// SPDX-License-Identifier: MPL-2.0

// Package plugin implements the runtime plugins. A plugin is the part of a step
// that runs before the callbacks of the step. It accesses the task only through the
// interface Task, which package runtime implements.
//
// Plugins are identified by their short names. A name with the prefix custom/
// refers to a directory below the plugin directory. These directories have the
// layout of openpai-runtime plugins.
package plugin
