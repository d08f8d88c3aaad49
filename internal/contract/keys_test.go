// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"regexp"
	"strings"
	"testing"
)

func TestInvalidLabelValuesAreReplaced(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"a valid value is unchanged":                     {"mnist-team", "mnist-team"},
		"an address is kept":                             {"job.mnist_2", "job.mnist_2"},
		"an empty string is unchanged":                   {"", ""},
		"63 letters are kept":                            {strings.Repeat("a", 63), strings.Repeat("a", 63)},
		"an instance key is flattened and hashed":        {`job.train["a"]`, "job.train-a-339731b0"},
		"a string with other letters becomes a hash":     {"数据", "5440f742"},
		"an ending that is invalid in labels is dropped": {"team.", "team-ed06163b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := LabelValue(tt.text); got != tt.want {
				t.Errorf("LabelValue(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestLabelValueIsAlwaysValidAndDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, text := range []string{strings.Repeat("a", 64), strings.Repeat("a", 65), strings.Repeat("-", 70), "a b", "a-b ", "a/b", strings.Repeat("a.", 60), "é", "\x00"} {
		got := LabelValue(text)
		if len(got) > labelLimit || !labelValue.MatchString(got) {
			t.Errorf("LabelValue(%q) = %q is not a valid label value", text, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q both become %q", text, other, got)
		}
		seen[got] = text
	}
}

func TestObjectNamesNeverChange(t *testing.T) {
	t.Parallel()
	const framework = "b1a72a6db33b44267e352ef3cff002aa"
	for got, want := range map[string]string{
		FrameworkName("alice", "j"): framework,
		RunConfigMap(framework):     framework + "-run",
		RecordConfigMap(framework):  framework + "-record",
		RegistrySecret(framework):   framework + "-regcred",
		JobSecret(framework):        framework + "-configcred",
		PriorityClass(framework):    framework + "-priority",
		RoleName("ps_Server-1"):     "psserver1",
	} {
		if got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
}

func TestEachFileHasASeparateConfigMap(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, file := range []string{"wget-1.0.yaml", "Wget-1.0.yaml", "wget-1-0.yaml", "数据-1.yaml", strings.Repeat("x", 300) + ".pai.hcl", ""} {
		name := ItemsConfigMap(file)
		if !regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`).MatchString(name) || len(name) > 253 {
			t.Errorf("%q returns %q, which is not a valid object name", file, name)
		}
		if other, met := names[name]; met {
			t.Errorf("%q and %q have the name %s", file, other, name)
		}
		names[name] = file
	}
	if got := ItemsConfigMap("wget-1.0.yaml"); !strings.HasPrefix(got, "openpai-items-wget-1-0-yaml-") {
		t.Errorf("name %s", got)
	}
}

// Services and jobs of OpenPAI clusters rely on these paths and names.
func TestPathsAndNamesAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Root: "/usr/local/pai", Runtime: "/usr/local/pai/runtime", RuntimeDir: "/usr/local/pai/runtime.d", InitDir: "/usr/local/pai/init.d",
		LogDir: "/usr/local/pai/logs", SecretsDir: "/usr/local/pai/secrets", ConfigDir: "/usr/local/pai-config", TerminationFile: "/tmp/pai-termination-log",
		HostLogDir: "/var/log/pai", RuntimeLog: "runtime.log", InitLog: "init.log", StdoutDir: "user-stdout", StderrDir: "user-stderr", AllDir: "user-all", CurrentLog: "current",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, name := range []string{"cmd", "ssh", "git", "tensorboard", "teamwise_storage"} {
		if short, known := Plugin("com.microsoft.pai.runtimeplugin." + name); short != name || !known {
			t.Errorf("plugin %s is %q, known %v", name, short, known)
		}
	}
}
