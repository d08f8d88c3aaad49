// Package plugin holds the runtime plugins: what a step of a task does
// before its callbacks. It knows the task only through the interface
// Task; package runtime implements it.
//
// A plugin is found by its short name. Names with the prefix custom/ are
// programs of the plugin directory, laid out as those of openpai-runtime.
package plugin
