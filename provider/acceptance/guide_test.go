// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// blocks returns the code blocks in the given language on a page.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", page))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[1])
	}
	return all
}

// TestTheGuideFromYAMLIsFollowed follows the guide: it first uses the YAML
// file unchanged and then a job written entirely in Terraform.
func TestTheGuideFromYAMLIsFollowed(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		p.env = append(p.env, "OPENPAI_USER=alice")
		file, config := blocks(t, "yaml-to-terraform.md", "yaml")[0], blocks(t, "yaml-to-terraform.md", "terraform")[0]
		write(t, filepath.Join(p.dir, "job.yaml"), file)
		write(t, filepath.Join(p.dir, "main.tf"), config)
		t.Cleanup(func() { p.run("destroy", "-auto-approve", "-input=false") })
		p.apply()
		p.mustBeEmpty()

		written := p.console("data.openpai_protocol.job.job")
		unquoted := regexp.MustCompile(`(?m)^  "([a-z_]+)" =`).ReplaceAllString(written, "  $1 =")
		from, to := strings.Index(config, "resource \"openpai_job\""), strings.Index(config, "output \"warnings\"")
		write(t, filepath.Join(p.dir, "main.tf"), config[:from]+"resource \"openpai_job\" \"job\" "+unquoted+"\n"+config[to:])
		p.mustBeEmpty()

		p.must("state", "rm", "openpai_job.job")
		p.must("import", "openpai_job.job", "covid")
		p.mustBeEmpty()
	})
}
