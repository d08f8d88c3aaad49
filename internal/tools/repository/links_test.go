// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#{1,6} +(.*?)\s*$`)
	mdCode    = regexp.MustCompile("(?ms)^ *(```|~~~).*?^ *(```|~~~)$")
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

func TestLinksReferToExistingHeadings(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	checked := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(d.Name(), ".md") {
			return nil
		}
		for _, link := range mdLink.FindAllStringSubmatch(page(t, path), -1) {
			target := inRepository(root, filepath.Dir(path), link[1])
			if !strings.Contains(target, "://") && !strings.HasPrefix(target, "mailto:") {
				checked++
				follow(t, path, target)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 20 {
		t.Errorf("only %d links were found", checked)
	}
}

// inRepository returns the path of the file that a link to the project on GitHub shows.
// The path is relative to dir. Other links stay as they are.
func inRepository(root, dir, target string) string {
	path := target
	for _, prefix := range []string{
		"https://github.com/openpai/terraform-provider-openpai/blob/main/",
		"https://github.com/openpai/terraform-provider-openpai/tree/main/",
		"https://raw.githubusercontent.com/openpai/terraform-provider-openpai/main/",
	} {
		path = strings.TrimPrefix(path, prefix)
	}
	if path == target {
		return target
	}
	path, err := filepath.Rel(dir, filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		panic(err) // both paths are relative
	}
	return path
}

// TestTheRegistryShowsEveryPage checks that docs contains only pages in places that the
// Terraform Registry shows, with titles for its navigation and with links that work
// there. https://developer.hashicorp.com/terraform/registry/providers/docs
func TestTheRegistryShowsEveryPage(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	shown := regexp.MustCompile(`^(index|(guides|resources|data-sources|functions|actions|list-resources)/[^/]+)\.md$`)
	pages := 0
	err := filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		pages++
		name, err := filepath.Rel(docs, path)
		if !shown.MatchString(filepath.ToSlash(name)) {
			t.Errorf("the registry does not show docs/%s; move it to docs/guides, or out of docs", name)
			return err
		}
		if !strings.Contains(page(t, path), "\npage_title: ") {
			t.Errorf("%s has no page_title in its front matter", name)
		}
		for _, link := range mdLink.FindAllStringSubmatch(page(t, path), -1) {
			file, _, _ := strings.Cut(link[1], "#")
			target := filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
			if file != "" && !strings.Contains(file, ":") && !shown.MatchString(filepath.ToSlash(target)) {
				t.Errorf("%s links to %s, which the registry does not show; use a URL of GitHub", name, link[1])
			}
		}
		return err
	})
	if err != nil || pages < 20 {
		t.Errorf("%d pages: %v", pages, err)
	}
}

// page returns the text of a page without code blocks.
func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return mdCode.ReplaceAllString(string(text), "")
}

func follow(t *testing.T, from, target string) {
	t.Helper()
	file, heading, _ := strings.Cut(target, "#")
	path := from
	if file != "" {
		path = filepath.Join(filepath.Dir(from), filepath.FromSlash(file))
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("%s links to %s, which does not exist", from, target)
		return
	}
	if heading == "" || !strings.HasSuffix(path, ".md") {
		return
	}
	text := page(t, path)
	if strings.Contains(text, `<a id="`+heading+`">`) {
		return
	}
	for _, h := range mdHeading.FindAllStringSubmatch(text, -1) {
		if slug(h[1]) == heading {
			return
		}
	}
	t.Errorf("%s links to %s, but the heading does not exist", from, target)
}

// slug returns GitHub's anchor for a heading.
func slug(heading string) string {
	return strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}
