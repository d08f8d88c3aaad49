// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"regexp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// Transfer returns a copy of a workspace in which fetches replace shell lines
// that only download a file or a commit's tree. The conversion of jobs from YAML
// to HCL calls Transfer. A line remains if a fetch would not have exactly the
// same effect. A download line after another command remains, because the runtime
// performs fetches before the first command. Fetches do not receive the job's
// environment variables. All lines therefore remain if, for example, a job sets a
// proxy. Transfer also keeps all lines of a prerequisite for which excluded
// returns true.
func Transfer(ws *hclspec.Workspace, excluded func(*hclspec.Prerequisite) bool) *hclspec.Workspace {
	moved := *ws
	moved.Prerequisites = slices.Clone(ws.Prerequisites)
	if configuresDownloads(ws) {
		return &moved
	}
	for i, p := range moved.Prerequisites {
		if !excluded(p) {
			moved.Prerequisites[i] = transferred(p)
		}
	}
	return &moved
}

// downloadSettings matches settings of curl, wget and git in scripts and in
// names of environment variables, such as proxies and configuration files. It
// does not match command arguments.
var downloadSettings = regexp.MustCompile(`(?i)_proxy|curlrc|curl_home|wgetrc|netrc|gitconfig|git config|git_`)

func configuresDownloads(ws *hclspec.Workspace) bool {
	var values []string
	collect := func(environment map[string]string) {
		for name := range environment {
			values = append(values, name)
		}
	}
	for _, job := range ws.Jobs {
		collect(job.Environment)
		for _, role := range job.TaskRoles {
			collect(role.Environment)
		}
	}
	for _, p := range ws.Prerequisites {
		collect(p.Environment)
		for _, c := range p.Callbacks {
			values = append(values, c.Commands...)
		}
	}
	return slices.ContainsFunc(values, downloadSettings.MatchString)
}

// transferred replaces the downloads at the start of the taskStarts callback
// with fetches.
func transferred(p *hclspec.Prerequisite) *hclspec.Prerequisite {
	i := slices.IndexFunc(p.Callbacks, func(c *hclspec.Callback) bool { return c.Event == contract.EventTaskStarts })
	if i < 0 || p.Type == "dockerimage" || !isCmd(p.Plugin) || p.Retry != nil || p.FailurePolicy == "ignore" {
		return p
	}
	c := p.Callbacks[i]
	if c.Retry != nil || c.Timeout != "" || c.FailurePolicy != "" {
		return p
	}
	fetches, rest := downloads(c.Commands)
	if len(fetches) == 0 {
		return p
	}
	own := *p
	own.Fetch = slices.Concat(p.Fetch, fetches)
	own.Callbacks = slices.Clone(p.Callbacks)
	if len(rest) == 0 {
		own.Callbacks = slices.Delete(own.Callbacks, i, i+1)
		return &own
	}
	shorter := *c
	shorter.Commands = rest
	own.Callbacks[i] = &shorter
	return &own
}

func isCmd(plugin string) bool {
	return plugin == "" || strings.TrimPrefix(plugin, "com.microsoft.pai.runtimeplugin.") == contract.PluginCmd
}

// downloads converts the download lines at the start of a script to fetches,
// and returns the remaining lines. It keeps shell options and mkdir -p lines
// before and between the downloads. It drops a mkdir line if the fetches create
// all its directories. It drops shell options if no other line remains.
func downloads(commands []string) (fetches []*hclspec.Fetch, rest []string) {
	lines := slices.Clone(commands)
	var dirs []string
	for len(lines) > 0 {
		made := madeDirectories(lines[0])
		if made != nil || shellOption.MatchString(lines[0]) {
			rest, dirs, lines = append(rest, lines[0]), append(dirs, made...), lines[1:]
			continue
		}
		f, n := download(lines)
		if f == nil || slices.Contains(dirs, strings.TrimSuffix(f.To, "/")) {
			break
		}
		fetches, lines = append(fetches, f), lines[n:]
	}
	rest = slices.DeleteFunc(rest, func(line string) bool {
		made := madeDirectories(line)
		return made != nil && !slices.ContainsFunc(made, func(dir string) bool { return !holdsFetch(dir, fetches) })
	})
	rest = append(rest, lines...)
	if !slices.ContainsFunc(rest, func(line string) bool { return !shellOption.MatchString(line) }) {
		rest = nil
	}
	return fetches, rest
}

// shellOption matches a line that sets a shell option which does not affect
// downloads.
var shellOption = regexp.MustCompile(`^set [-+](?:[eux]+|o (?:nounset|errexit|pipefail|xtrace))$`)

// holdsFetch reports whether a fetch creates the directory.
func holdsFetch(dir string, fetches []*hclspec.Fetch) bool {
	return slices.ContainsFunc(fetches, func(f *hclspec.Fetch) bool { return strings.HasPrefix(f.To, dir+"/") })
}
