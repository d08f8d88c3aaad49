package contract

import (
	"regexp"
	"strings"
)

// The events a callback can be bound to.
const (
	EventTaskStarts   = "taskStarts"
	EventTaskSucceeds = "taskSucceeds"
	EventTaskFails    = "taskFails"
	EventTaskExits    = "taskExits"
)

// Events lists the events in the order of a task's life.
var Events = []string{EventTaskStarts, EventTaskSucceeds, EventTaskFails, EventTaskExits}

var eventAliases = map[string]string{
	"containerStart": EventTaskStarts, "containerStarts": EventTaskStarts,
	"containerExit": EventTaskExits, "containerExits": EventTaskExits,
}

// Event returns the event that a name means, whether the name is an older
// spelling, and whether it is known at all.
func Event(name string) (event string, alias, ok bool) {
	for _, e := range Events {
		if e == name {
			return e, false, true
		}
	}
	event, ok = eventAliases[name]
	return event, ok, ok
}

// The plugins a prerequisite or an extras entry can name.
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

// CustomPluginPrefix is before the name of a third-party plugin: what
// follows is a directory in the plugin directory of the runtime.
const CustomPluginPrefix = "custom/"

var customPlugin = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)

// Plugin returns the short name of a plugin written short or long, and whether
// it is known. Third-party plugins are known by their prefix: only the runtime
// knows whether they are there.
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

// IsStoragePlugin reports whether the short name mounts a storage.
func IsStoragePlugin(short string) bool {
	return short == PluginTeamwiseStorage || short == PluginPVCStorage || short == PluginRestStorage
}
