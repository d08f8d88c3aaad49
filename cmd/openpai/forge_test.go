// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// The repository on the forge, the API token, and the user of the workflow.
const (
	repository = "example/jobs"
	token      = "hush-of-the-forge"
	bot        = "github-actions[bot]"
)

// forge is a fake GitHub API on loopback, with a GitLab API below /api/v4. It serves
// a release, runs and their artifacts, commits and their pull requests, and the
// comments of one pull request.
type forge struct {
	t   *testing.T
	url string

	mu        sync.Mutex
	comments  []comment
	merged    map[string][]mergedRequest // merge commit -> requests
	artifacts map[string]string          // artifact name, keyed by the head commit of the run
	contents  map[string][]byte          // artifact content, keyed by the head commit of the run
	archive   []byte                     // the release archive
	edits     int
}

type comment struct {
	ID   float64           `json:"id"`
	Body string            `json:"body"`
	User map[string]string `json:"user"`
	// Author is the author in GitLab's format.
	Author map[string]int `json:"author"`
}

// mergedRequest has the fields of both a GitHub pull request and a GitLab merge
// request.
type mergedRequest struct {
	MergeCommit string `json:"merge_commit_sha"`
	Head        struct {
		SHA  string            `json:"sha"`
		Repo map[string]string `json:"repo"`
	} `json:"head"`
	IID           int    `json:"iid"`
	SHA           string `json:"sha"`
	SourceProject int    `json:"source_project_id"`
}

func newForge(t *testing.T) *forge {
	f := &forge{t: t, merged: map[string][]mergedRequest{}, artifacts: map[string]string{}, contents: map[string][]byte{}}
	f.comments = []comment{{ID: 2_000_000_001, Body: "<!-- openpai plan --> by another user", User: map[string]string{"login": "mallory"}, Author: map[string]int{"id": 1}}}
	mux := http.NewServeMux()
	f.github(mux)
	f.gitlab(mux)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token && r.Header.Get("Private-Token") != token {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	f.url = s.URL
	return f
}

func (f *forge) github(mux *http.ServeMux) {
	repo := "/repos/" + repository
	mux.HandleFunc("GET "+repo+"/issues/1/comments", func(w http.ResponseWriter, _ *http.Request) { answer(w, f.comments) })
	mux.HandleFunc("POST "+repo+"/issues/1/comments", func(_ http.ResponseWriter, r *http.Request) {
		f.add(comment{Body: bodyOf(r), User: map[string]string{"login": bot}})
	})
	mux.HandleFunc("PATCH "+repo+"/issues/comments/{id}", func(w http.ResponseWriter, r *http.Request) { f.edit(w, r, bodyOf(r)) })
	mux.HandleFunc("GET "+repo+"/commits/{sha}/pulls", func(w http.ResponseWriter, r *http.Request) { answer(w, f.merged[r.PathValue("sha")]) })
	mux.HandleFunc("GET "+repo+"/actions/workflows/openpai.yml/runs", func(w http.ResponseWriter, r *http.Request) {
		runs := []map[string]float64{}
		head := r.FormValue("head_sha")
		if f.artifacts[head] != "" && r.FormValue("event") == "pull_request" && r.FormValue("status") == "success" {
			runs = append(runs, map[string]float64{"id": runOf(head)})
		}
		answer(w, map[string]any{"workflow_runs": runs})
	})
	mux.HandleFunc("GET /runs/{run}/{name}", func(w http.ResponseWriter, r *http.Request) {
		for head, name := range f.artifacts {
			if fmt.Sprintf("%.0f", runOf(head)) == r.PathValue("run") && name == r.PathValue("name") {
				_, _ = w.Write(f.contents[head])
				return
			}
		}
		http.NotFound(w, r)
	})
	mux.HandleFunc("GET /releases/{file}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(f.archive) })
}

func (f *forge) gitlab(mux *http.ServeMux) {
	project := "/api/v4/projects/7"
	mux.HandleFunc("GET /api/v4/user", func(w http.ResponseWriter, _ *http.Request) { answer(w, map[string]int{"id": 42}) })
	mux.HandleFunc("GET "+project+"/merge_requests/1/notes", func(w http.ResponseWriter, _ *http.Request) { answer(w, f.comments) })
	mux.HandleFunc("POST "+project+"/merge_requests/1/notes", func(_ http.ResponseWriter, r *http.Request) {
		f.add(comment{Body: r.FormValue("body"), Author: map[string]int{"id": 42}})
	})
	mux.HandleFunc("PUT "+project+"/merge_requests/1/notes/{id}", func(w http.ResponseWriter, r *http.Request) { f.edit(w, r, r.FormValue("body")) })
	mux.HandleFunc("GET "+project+"/repository/commits/{sha}/merge_requests", func(w http.ResponseWriter, r *http.Request) { answer(w, f.merged[r.PathValue("sha")]) })
	mux.HandleFunc("GET "+project+"/merge_requests/1/pipelines", func(w http.ResponseWriter, _ *http.Request) {
		var all []map[string]any
		for head := range f.artifacts {
			all = append(all, map[string]any{"id": runOf(head), "sha": head, "status": "success"})
		}
		answer(w, all)
	})
	mux.HandleFunc("GET "+project+"/pipelines/{run}/jobs", func(w http.ResponseWriter, r *http.Request) {
		answer(w, []map[string]any{{"id": json.Number(r.PathValue("run")), "name": "plan"}})
	})
	mux.HandleFunc("GET "+project+"/jobs/{run}/artifacts/plan.openpai", func(w http.ResponseWriter, r *http.Request) {
		for head := range f.artifacts {
			if fmt.Sprintf("%.0f", runOf(head)) == r.PathValue("run") {
				_, _ = w.Write(f.contents[head])
			}
		}
	})
}

// runOf returns a run ID with as many digits as real IDs.
func runOf(head string) float64 {
	n := 0
	for _, c := range head {
		n = (n*31 + int(c)) % 1_000_000_007
	}
	return float64(20_000_000_000 + n)
}

func answer(w http.ResponseWriter, value any) { _ = json.NewEncoder(w).Encode(value) }

func bodyOf(r *http.Request) string {
	var sent struct{ Body string }
	_ = json.NewDecoder(r.Body).Decode(&sent)
	return sent.Body
}

func (f *forge) add(c comment) {
	c.ID = 2_000_000_001 + float64(len(f.comments))
	f.comments = append(f.comments, c)
}

func (f *forge) edit(w http.ResponseWriter, r *http.Request, body string) {
	for i, c := range f.comments {
		if fmt.Sprintf("%.0f", c.ID) == r.PathValue("id") && i > 0 {
			f.comments[i].Body = body
			f.edits++
			return
		}
	}
	http.NotFound(w, r)
}

// upload stores an artifact of the run for a commit.
func (f *forge) upload(head, name string, content []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.artifacts[head], f.contents[head] = name, content
}

// merge records a merge commit. head is the last commit of the branch. repo
// and project identify the source of the branch on GitHub and on GitLab.
func (f *forge) merge(commit, head, repo string, project int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := mergedRequest{MergeCommit: commit, IID: 1, SHA: head, SourceProject: project}
	m.Head.SHA, m.Head.Repo = head, map[string]string{"full_name": repo}
	f.merged[commit] = []mergedRequest{m}
}

// comment returns the pipeline's comment, or "". The test fails if the pipeline wrote
// more than one comment.
func (f *forge) comment() string {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	switch len(f.comments) {
	case 1:
		return ""
	case 2:
		return f.comments[1].Body
	}
	f.t.Fatalf("there are %d comments", len(f.comments))
	return ""
}
