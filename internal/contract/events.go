// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"regexp"
	"strings"
)

// Events that can trigger a callback.
const (
	EventTaskStarts   = "taskStarts"
	EventTaskSucceeds = "taskSucceeds"
	EventTaskFails    = "taskFails"
	EventTaskExits    = "taskExits"
)

// Events lists the events in the order of a task's lifecycle.
var Events = []string{EventTaskStarts, EventTaskSucceeds, EventTaskFails, EventTaskExits}

var eventAliases = map[string]string{
	"containerStart": EventTaskStarts, "containerStarts": EventTaskStarts,
	"containerExit": EventTaskExits, "containerExits": EventTaskExits,
}

// Event returns the event with the given name. alias is true if name is an older
// spelling of the event. ok is false if the event is unknown.
func Event(name string) (event string, alias, ok bool) {
	for _, e := range Events {
		if e == name {
			return e, false, true
		}
	}
	event, ok = eventAliases[name]
	return event, ok, ok
}

// Short names of the plugins for prerequisites and extras.
const (
	PluginCmd             = "cmd"
	PluginDocker          = "docker"
	PluginSSH             = "ssh"
	PluginGit             = "git"
	PluginTensorboard     = "tensorboard"
	PluginTeamwiseStorage = "teamwise_storage"
	PluginPVCStorage      = "pvc_storage"
	PluginRestStorage     = "rest.storage"
)

// Plugins lists the known plugins by short name.
var Plugins = []string{PluginCmd, PluginDocker, PluginGit, PluginPVCStorage, PluginRestStorage, PluginSSH, PluginTeamwiseStorage, PluginTensorboard}

const (
	runtimePluginPrefix = "com.microsoft.pai.runtimeplugin."
	restPluginPrefix    = "com.microsoft.pai."
)

// CustomPluginPrefix is the name prefix of third-party plugins. The rest of
// the name is a directory in the runtime's plugin directory.
const CustomPluginPrefix = "custom/"

var customPlugin = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)

// Plugin returns the short name of a plugin, and whether the plugin is known.
// The argument can be the short or the long name. For a name with
// [CustomPluginPrefix], Plugin checks only the syntax. Only the runtime can
// check whether the plugin exists.
func Plugin(name string) (short string, ok bool) {
	short = strings.TrimPrefix(name, runtimePluginPrefix)
	if short == name {
		short = strings.TrimPrefix(name, restPluginPrefix)
	}
	for _, p := range Plugins {
		if p == short {
			return short, true
		}
	}
	own, custom := strings.CutPrefix(short, CustomPluginPrefix)
	return short, custom && customPlugin.MatchString(own)
}

// IsStoragePlugin reports whether the plugin with the short name mounts a
// storage.
func IsStoragePlugin(short string) bool {
	return short == PluginTeamwiseStorage || short == PluginPVCStorage || short == PluginRestStorage
}
