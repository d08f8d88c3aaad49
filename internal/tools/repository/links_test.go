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
			if target := link[1]; !strings.Contains(target, "://") && !strings.HasPrefix(target, "mailto:") {
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

// TestTheRegistryShowsEveryPage checks that each page of docs is in a place that the
// Terraform Registry shows, and that each guide has a title for its navigation.
// https://developer.hashicorp.com/terraform/registry/providers/docs
func TestTheRegistryShowsEveryPage(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	shown := regexp.MustCompile(`^(index|(guides|resources|data-sources|functions|actions|list-resources)/[^/]+)\.md$`)
	pages := 0
	err := filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(d.Name(), ".md") {
			return err
		}
		pages++
		name, err := filepath.Rel(docs, path)
		if !shown.MatchString(filepath.ToSlash(name)) {
			t.Errorf("the registry does not show %s; move it to guides", name)
		}
		if !strings.Contains(page(t, path), "\npage_title: ") {
			t.Errorf("%s has no page_title in its front matter", name)
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
