package contract

import "testing"

// Paths and names that services and jobs of OpenPAI clusters rely on.
func TestKept18PathsAndNames(t *testing.T) {
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
