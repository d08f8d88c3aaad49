// SPDX-License-Identifier: MPL-2.0

package contract

import "testing"

func TestPluginNamesAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		short string
		known bool
	}{
		"ssh":                                 {"ssh", true},
		"com.microsoft.pai.runtimeplugin.ssh": {"ssh", true},
		"com.microsoft.pai.runtimeplugin.cmd": {"cmd", true},
		"cmd":                                 {"cmd", true},
		"git":                                 {"git", true},
		"tensorboard":                         {"tensorboard", true},
		"teamwise_storage":                    {"teamwise_storage", true},
		"com.microsoft.pai.runtimeplugin.git": {"git", true},
		"com.microsoft.pai.runtimeplugin.tensorboard":      {"tensorboard", true},
		"com.microsoft.pai.runtimeplugin.teamwise_storage": {"teamwise_storage", true},
		"com.microsoft.pai.rest.storage":                   {"rest.storage", true},
		"custom/probe":                                     {"custom/probe", true},
		"com.microsoft.pai.runtimeplugin.custom/probe_2.x": {"custom/probe_2.x", true},
		"probe":        {"probe", false},
		"custom/":      {"custom/", false},
		"custom/..":    {"custom/..", false},
		"custom/a/b":   {"custom/a/b", false},
		"custom/.a":    {"custom/.a", false},
		"custom/a b":   {"custom/a b", false},
		"customprobe":  {"customprobe", false},
		"Custom/probe": {"Custom/probe", false},
	} {
		if short, known := Plugin(name); short != want.short || known != want.known {
			t.Errorf("%s: %s, known %v", name, short, known)
		}
	}
}
