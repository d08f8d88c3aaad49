// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// transfer returns the fetches as URL > TO, and the remaining lines.
func transfer(lines ...string) (fetches, rest []string) {
	p := &hclspec.Prerequisite{Type: "data", Name: "d", Callbacks: []*hclspec.Callback{{Event: "taskStarts", Commands: lines}}}
	ws := Transfer(&hclspec.Workspace{Prerequisites: []*hclspec.Prerequisite{p}}, func(*hclspec.Prerequisite) bool { return false })
	for _, f := range ws.Prerequisites[0].Fetch {
		fetches = append(fetches, fmt.Sprintf("%s > %s", f.URL, f.To))
	}
	for _, c := range ws.Prerequisites[0].Callbacks {
		rest = append(rest, c.Commands...)
	}
	return fetches, rest
}

func TestTransferConvertsDownloadCommandsToFetches(t *testing.T) {
	t.Parallel()
	const commit = "6a33b4a4b5bda950bb7e45faf13120115cbfdb2f"
	for name, tt := range map[string]struct {
		lines, fetches, rest []string
	}{
		"wget":                              {[]string{"wget https://h/a.zip"}, []string{"https://h/a.zip > a.zip"}, nil},
		"wget into a directory":             {[]string{"wget -q https://h/a.zip -P data"}, []string{"https://h/a.zip > data/a.zip"}, nil},
		"wget with a name":                  {[]string{"wget -O /data/a.zip 'https://h/a?b=c&d'"}, []string{"https://h/a?b=c&d > /data/a.zip"}, nil},
		"curl":                              {[]string{"curl -fsSL -o b https://h/a"}, []string{"https://h/a > b"}, nil},
		"curl with long options":            {[]string{`curl --fail --location --retry=5 --output "b c" https://h/a`}, []string{"https://h/a > b c"}, nil},
		"curl with the name of the address": {[]string{"curl -fLO https://h/a.zip"}, []string{"https://h/a.zip > a.zip"}, nil},
		"what follows stays":                {[]string{"wget https://h/a.zip", "unzip a.zip"}, []string{"https://h/a.zip > a.zip"}, []string{"unzip a.zip"}},
		"the directory of a fetch":          {[]string{"mkdir -p d", "wget https://h/a -P d", "ls"}, []string{"https://h/a > d/a"}, []string{"ls"}},
		"options of the shell":              {[]string{"set +o nounset", "wget https://h/a"}, []string{"https://h/a > a"}, nil},
		"shell options for later commands":  {[]string{"set +o nounset", "mkdir -p b", "wget https://h/a", "ls $b"}, []string{"https://h/a > a"}, []string{"set +o nounset", "mkdir -p b", "ls $b"}},
		"another directory":                 {[]string{"mkdir -p d e", "wget https://h/a -P d"}, []string{"https://h/a > d/a"}, []string{"mkdir -p d e"}},
		"a line of the older format": {
			[]string{"mkdir -p d", "if command -v curl > /dev/null; then curl -fsSL --retry 3 -o d/a 'https://h/a?b'; else wget -q -O d/a 'https://h/a?b'; fi"},
			[]string{"https://h/a?b > d/a"}, nil,
		},
		"a commit without history": {
			[]string{"git clone -q https://h/r.git r", "git -C r checkout -q " + commit, "rm -rf r/.git", "make -C r"},
			[]string{"git::https://h/r.git?ref=" + commit + " > r"}, []string{"make -C r"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fetches, rest := transfer(tt.lines...)
			if diff := cmp.Diff(tt.fetches, fetches) + cmp.Diff(tt.rest, rest); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestOnlyPlainTransfersBecomeFetches(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]string{
		"a line after another":       "apt-get install -y wget\nwget https://h/a",
		"a pipe":                     "wget -qO- https://h/a | tar x",
		"a second command":           "wget https://h/a && unzip a",
		"a variable":                 "wget $BASE/a",
		"a reference":                "wget <% $data.uri[0] %>",
		"a template variable":        "wget http://1.2.3.4/mnist.zip -O {{ dataPath }}",
		"a quoted template variable": "wget http://1.2.3.4/mnist.zip -O '{{ dataPath }}'",
		"a home directory":           "wget https://h/a -O ~/a",
		"a comment":                  "wget https://h/a -P d # from the mirror",
		"an option that changes the stored content": "wget --no-check-certificate https://h/a",
		"a list of addresses":                       "wget https://h/a https://h/b",
		"a URL without a file name":                 "wget https://h/",
		"a name with a query":                       "wget 'https://h/a?b=c'",
		"a login":                                   "wget https://ada:secret@h/a",
		"another protocol":                          "wget ftp://h/a",
		"standard output":                           "wget -O - https://h/a",
		"a file in a directory with other files":    "wget https://h/a -P /data",
		"curl that stores an error page":            "curl -L -o a https://h/a",
		"curl that stores a redirect":               "curl -f -o a https://h/a",
		"curl that prints":                          "curl -fL https://h/a",
		"curl with a header":                        "curl -fL -H 'Authorization: x' -o a https://h/a",
		"curl with a range of addresses":            "curl -fL -o a 'https://h/[1-3]'",
		"a file with the name of a directory":       "mkdir -p a\nwget https://h/a",
		"a clone with its history":                  "git clone https://h/r.git r\ngit -C r checkout 6a33b4a4b5bda950bb7e45faf13120115cbfdb2f",
		"a clone of a branch":                       "git clone https://h/r.git r\ngit -C r checkout main\nrm -rf r/.git",
		"a script with a proxy":                     "wget https://h/a\nexport https_proxy=http://p:1",
		"two programs that fetch different files":   "if command -v curl > /dev/null; then curl -fsSL --retry 3 -o a https://h/a; else wget -q -O a https://h/b; fi",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := strings.Split(lines, "\n")
			fetches, rest := transfer(want...)
			if diff := cmp.Diff(want, rest); len(fetches) > 0 || diff != "" {
				t.Errorf("fetches %v (-want remaining +got)\n%s", fetches, diff)
			}
		})
	}
}

func TestTransferLeavesUnsuitablePrerequisitesUnchanged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*hclspec.Workspace, *hclspec.Prerequisite){
		"another event":           func(_ *hclspec.Workspace, p *hclspec.Prerequisite) { p.Callbacks[0].Event = "taskFails" },
		"a callback with a limit": func(_ *hclspec.Workspace, p *hclspec.Prerequisite) { p.Callbacks[0].Timeout = "1s" },
		"a callback that repeats": func(_ *hclspec.Workspace, p *hclspec.Prerequisite) {
			p.Callbacks[0].Retry = &hclspec.Retry{Attempts: 2}
		},
		"ignored failures": func(_ *hclspec.Workspace, p *hclspec.Prerequisite) { p.FailurePolicy = "ignore" },
		"another plugin":   func(_ *hclspec.Workspace, p *hclspec.Prerequisite) { p.Plugin = "mine" },
		"a job behind a proxy": func(ws *hclspec.Workspace, _ *hclspec.Prerequisite) {
			ws.Jobs = []*hclspec.Job{{Environment: map[string]string{"HTTPS_PROXY": "http://p:1"}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &hclspec.Prerequisite{Type: "data", Callbacks: []*hclspec.Callback{{Event: "taskStarts", Commands: []string{"wget https://h/a"}}}}
			ws := &hclspec.Workspace{Prerequisites: []*hclspec.Prerequisite{p}}
			change(ws, p)
			moved := Transfer(ws, func(*hclspec.Prerequisite) bool { return false })
			if diff := cmp.Diff(ws, moved); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
