package contract

import "strings"

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

// Plugin returns the short name of a plugin written short or long, and whether
// it is known.
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
	return short, false
}

// IsStoragePlugin reports whether the short name mounts a storage.
func IsStoragePlugin(short string) bool {
	return short == PluginTeamwiseStorage || short == PluginPVCStorage || short == PluginRestStorage
}
