// SPDX-License-Identifier: MPL-2.0

//go:build acc

package view_test

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Values of Chromium that identify the system color schemes.
const (
	darkTheme  = "0"
	lightTheme = "1"
)

// browser returns the path of Chromium, or skips the test if Chromium is not
// installed.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine: the page was not opened in a browser")
	return ""
}

// open runs Chromium on a page. No host name resolves.
func open(t *testing.T, page, fragment string, more ...string) (dom, log string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	address := url.URL{Scheme: "file", Path: file, Fragment: fragment}
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + filepath.Join(dir, "profile"),
		"--enable-logging=stderr",
	}, more...)
	cmd := exec.CommandContext(ctx, browser(t), append(args, address.String())...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errors.String())
	}
	for _, line := range strings.Split(errors.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			log += line + "\n"
		}
	}
	return string(out), log
}

// A search hides groups without a match. The tools are visible, and the
// content security policy blocks no part of the page.
func TestBrowserSearches(t *testing.T) {
	t.Parallel()
	dom, log := open(t, html(t, plans()["causes"]), `search=EXP["11"]  replace`, "--dump-dom")
	if log != "" {
		t.Errorf("the page logs\n%s", log)
	}
	if !regexp.MustCompile(`<span id="found"[^>]*>1 of 2</span>`).MatchString(dom) {
		t.Error("the search does not show its matches")
	}
	if !regexp.MustCompile(`<details class="group no-op"[^>]* hidden=""`).MatchString(dom) {
		t.Error("the search does not hide the other group")
	}
	if strings.Contains(dom, `<div class="tools" hidden`) {
		t.Error("the tools are hidden")
	}
}

// The page shows hostile text as text, and creates no elements, scripts or
// requests from the text.
func TestBrowserShowsHostileTextsAsText(t *testing.T) {
	t.Parallel()
	page := html(t, planWithText(strings.Join(hostile, " ")+` <img src="http://page.test/x">`))
	dom, log, found := observed(t, page)
	if log != "" {
		t.Errorf("the page logs\n%s", log)
	}
	if got := elements.FindAllString(without(dom), -1); len(got) != 3 {
		t.Errorf("the page has %q, want its own heading and script, and the link of an item", got)
	}
	if len(found) > 0 {
		t.Errorf("the page requests %q", found)
	}
}

// The content security policy blocks markup that the template does not escape.
func TestBrowserEnforcesThePolicy(t *testing.T) {
	t.Parallel()
	injected := `<img src="http://page.test/x"><script>document.title = "changed"</script>`
	page := strings.Replace(html(t, plans()["causes"]), "<main>", "<main>"+injected, 1)
	dom, log, found := observed(t, page)
	if len(found) > 0 || strings.Contains(dom, "<title>changed") {
		t.Errorf("the page requests %q and runs a script", found)
	}
	if !strings.Contains(log, "Content Security Policy") {
		t.Errorf("the policy blocked nothing: %s", log)
	}
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	if _, _, found = observed(t, policy.ReplaceAllString(page, "")); len(found) == 0 {
		t.Error("the test cannot detect requests: it found none without the policy")
	}
}

var elements = regexp.MustCompile(`<(script|img|iframe|a|h1)[ >]`)

// observed is like open, but also returns the page.test URLs that the browser
// requested.
func observed(t *testing.T, page string) (dom, log string, found []string) {
	t.Helper()
	netLog := filepath.Join(t.TempDir(), "net.json")
	dom, log = open(t, page, "", "--dump-dom", "--log-net-log="+netLog)
	return dom, log, requests(t, netLog)
}

// requests returns only the page.test URLs. Chromium also requests URLs of
// other hosts, which the host rules block.
func requests(t *testing.T, netLog string) []string {
	t.Helper()
	text, err := os.ReadFile(netLog)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Events []struct {
			Params struct {
				URL string `json:"url"`
			} `json:"params"`
		} `json:"events"`
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatalf("read the log of requests: %v", err)
	}
	var all []string
	for _, e := range log.Events {
		if strings.Contains(e.Params.URL, "page.test") {
			all = append(all, e.Params.URL)
		}
	}
	return all
}

// Chromium draws pages with 3 and 1,000 jobs, in light and dark colors.
// OPENPAI_SCREENSHOTS=DIR keeps the screenshots. Logged times include browser
// startup; compare them with the time for the empty page.
func TestBrowserDraws(t *testing.T) {
	three := sharing("new")[:3]
	pages := map[string]*planner.Plan{
		"3-jobs": planner.New(planner.Options{
			Workspace: "team", Jobs: append(three[:2:2], changedJob()),
			Live: map[string]*planner.Snapshot{"gpu": {Jobs: append(liveJobs(sharing("old")[:2]), liveJob(trainJob()))}},
		}),
		"1000-jobs": halfOfOneCause(1000),
	}
	kept := os.Getenv("OPENPAI_SCREENSHOTS")
	began := time.Now()
	open(t, view.HTMLFirstLine, "", "--dump-dom")
	t.Logf("an empty page is open after %s", time.Since(began).Round(time.Millisecond))
	for name, p := range pages {
		for theme, number := range map[string]string{"light": lightTheme, "dark": darkTheme} {
			t.Run(name+"-"+theme, func(t *testing.T) {
				dir := kept
				if dir == "" {
					dir = t.TempDir()
				}
				picture := filepath.Join(dir, name+"-"+theme+".png")
				began := time.Now()
				_, log := open(t, html(t, p), "", "--screenshot="+picture, "--window-size=1280,2000", "--hide-scrollbars",
					"--blink-settings=preferredColorScheme="+number)
				t.Logf("%s: open and drawn after %s", name, time.Since(began).Round(time.Millisecond))
				if log != "" {
					t.Errorf("the page logs\n%s", log)
				}
				if info, err := os.Stat(picture); err != nil || info.Size() < 10_000 {
					t.Errorf("no picture: %v, %v", info, err)
				}
			})
		}
	}
}
