//go:build unix

package runtime

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// plugin adds a plugin of extras.
func (r *rig) plugin(name string, parameters map[string]any) *runspec.Step {
	r.spec.Steps = append(r.spec.Steps, runspec.Step{Address: "plugin." + name, Name: name, Plugin: name, FailurePolicy: "fail", Parameters: parameters})
	return &r.spec.Steps[len(r.spec.Steps)-1]
}

func TestNoPluginIsPassedOverInSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plugin     string
		parameters map[string]any
		log        string
		fails      bool
	}{
		"ssh":                            {"ssh", map[string]any{"jobssh": true}, "[WARNING] plugin ssh is skipped", false},
		"a storage without a mount":      {"teamwise_storage", nil, "mounts no storage", false},
		"tensorboard without parameters": {"tensorboard", nil, "[WARNING] plugin tensorboard of plugin.tensorboard is not started", false},
		"tensorboard that is not there":  {"tensorboard", map[string]any{"port": 8080.0, "logdir": map[string]any{"a": "/tmp"}}, "the image has no tensorboard", false},
		"git without a repository":       {"git", nil, "repo_uri is not given", true},
		"git of what is not there":       {"git", map[string]any{"repo_uri": "/no/such/repository"}, "plugin git of plugin.git exited with code 128", true},
		"an unknown one":                 {"teleport", nil, "is not known to this runtime", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "echo user >>trace")
			r.plugin(c.plugin, c.parameters)
			record := r.run()
			if !strings.Contains(r.log(), c.log) {
				t.Errorf("%q is not in\n%s", c.log, r.log())
			}
			if (record.Code != 0) != c.fails || (r.trace() == "user") == c.fails {
				t.Errorf("trace %q, record %+v", r.trace(), record)
			}
		})
	}
}

func TestGitPluginClonesDotFilesToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, "cat code/.hidden code/file; [ -d code/.git ]")
	repository := filepath.Join(r.dir, "repository")
	script := `git init -q "$1" && cd "$1" && echo hidden >.hidden && echo plain >file && git add . && git -c user.name=a -c user.email=a@b commit -q -m x`
	if out, err := exec.Command("sh", "-c", script, "-", repository).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r.plugin("git", map[string]any{"repo_uri": "file://" + repository, "clone_dir": filepath.Join(r.config.WorkDir, "code"), "options": []any{"--depth 1", "--quiet"}})
	if record := r.run(); record.Code != 0 || r.output() != "hidden\nplain\n" {
		t.Errorf("output %q, record %+v\n%s", r.output(), record, r.log())
	}
}

// Row 9: the git plugin died when a server had too many requests.
func TestRow9GitTriesAgainOnlyWhatMayPass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		message string
		tries   int
	}{
		"too many requests": {"error: RPC failed; HTTP 429 curl 22 The requested URL returned error: 429", 3},
		"not found":         {"remote: Repository not found.", 1},
	} {
		r := newRig(t, "true")
		fake := filepath.Join(r.dir, "bin")
		if err := os.Mkdir(fake, 0o755); err != nil {
			t.Fatal(err)
		}
		text := "#!/bin/sh\necho try >>" + r.dir + "/tries\necho '" + c.message + "' >&2\nexit 128\n"
		if err := os.WriteFile(filepath.Join(fake, "git"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		r.config.Environ[0] = "PATH=" + fake + ":" + os.Getenv("PATH")
		r.plugin("git", map[string]any{"repo_uri": "https://example.org/x.git"}).Retry = &runspec.Retry{Attempts: 3}
		record := r.run()
		if got := strings.Count(r.read("tries"), "try"); got != c.tries || record.UserCode != 128 {
			t.Errorf("%s: %d tries, record %+v", name, got, record)
		}
	}
}

func TestTensorboardRunsInTheBackgroundUntilTheEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t, "while [ ! -e started ]; do sleep 0.01; done; cat started")
	fake := filepath.Join(r.dir, "bin")
	if err := os.Mkdir(fake, 0o755); err != nil {
		t.Fatal(err)
	}
	text := "#!/bin/sh\n[ \"$1\" = --helpfull ] && echo '  --logdir_spec' && exit 0\necho \"$@\" >started.tmp; mv started.tmp started; exec sleep 1000\n"
	if err := os.WriteFile(filepath.Join(fake, "tensorboard"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	r.config.Environ[0] = "PATH=" + fake + ":" + os.Getenv("PATH")
	r.plugin("tensorboard", map[string]any{"port": 8080.0, "logdir": map[string]any{"b": "/logs/b", "a": "/logs/a"}})
	if r.run(); r.output() != "--logdir_spec a:/logs/a,b:/logs/b --port 8080 --bind_all\n" {
		t.Errorf("output %q\n%s", r.output(), r.log())
	}
}

func TestMountsAreCheckedBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace")
	file := r.source("file", nil)
	r.spec.Mounts = []runspec.Mount{
		{Storage: "good", Path: r.dir}, {Storage: "gone", Path: filepath.Join(r.dir, "gone")}, {Storage: "flat", Path: file}, {Storage: "sys", Path: "/proc", ReadOnly: true},
	}
	record := r.run()
	for _, want := range []string{"storage gone is not mounted at", "storage flat: " + file + " is not a directory"} {
		if !strings.Contains(record.Reason, want) {
			t.Errorf("%q is not in %q", want, record.Reason)
		}
	}
	if record.Code == 0 || record.Stage != "init" || r.trace() != "" || strings.Contains(record.Reason, "good") {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}
