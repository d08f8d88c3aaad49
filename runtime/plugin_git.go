//go:build unix

package runtime

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// What git says when trying again may help.
var gitTransient = regexp.MustCompile(`(?i)error: (429|5\d\d)|early EOF|could not resolve host|timed out|connection reset|RPC failed|hung up unexpectedly`)

// gitRetry applies to errors that pass, when the step has no rule of its own.
var gitRetry = runspec.Retry{Attempts: 8, BackoffSeconds: 1}

// gitClone clones the repository of the plugin's parameters (repo_uri, options,
// clone_dir) with the git of the image. Without clone_dir the clone is in the
// directory code below the root. Source: microsoft/openpai-runtime:
// src/plugins/git.
func (t *task) gitClone(ctx context.Context, step *runspec.Step) outcome {
	command, err := t.gitCommand(step)
	if err != nil {
		return failed(exitPlugin, "cannot clone: %v", err)
	}
	rule := step.Retry
	if rule == nil {
		rule = &gitRetry
	}
	permanent := outcome{}
	out := t.retried(ctx, rule, label(step, "plugin git"), func() outcome {
		out := t.pluginScript(ctx, step, command)
		if !out.ok() && !gitTransient.MatchString(strings.Join(out.lines, "\n")) {
			permanent = out
			return outcome{}
		}
		return out
	})
	if !permanent.ok() {
		return permanent
	}
	return out
}

func (t *task) gitCommand(step *runspec.Step) (string, error) {
	repository, _, err := t.parameterText(step, "repo_uri")
	if err != nil {
		return "", err
	}
	if repository == "" {
		return "", errNoRepository
	}
	dir, given, err := t.parameterText(step, "clone_dir")
	if err != nil {
		return "", err
	}
	if !given {
		dir = filepath.Join(t.Root, "code")
	}
	options, err := t.parameterList(step, "options")
	if err != nil {
		return "", err
	}
	var words []string
	for _, o := range options {
		for w := range strings.FieldsSeq(o) {
			words = append(words, quote(w))
		}
	}
	return "command -v git >/dev/null || { echo 'the image has no git' >&2; exit 127; }\n" +
		"GIT_TERMINAL_PROMPT=0 git clone " + strings.Join(words, " ") + " -- " + quote(repository) + " " + quote(dir), nil
}
