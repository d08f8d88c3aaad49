// SPDX-License-Identifier: MPL-2.0

package marketplacetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Users maps the users of the server to their groups.
var Users = map[string][]string{"alice": {"g1"}, "bob": {"g2"}, "carol": {"g1"}, "root": nil}

// Server behaves like the last version of the OpenPAI Marketplace server, including
// its defects. Lists are neither sorted nor paginated. Clients can find group items
// only by ID. Errors are plain text. Only create requests are validated. A user's
// token is the username.
type Server struct {
	*httptest.Server
	// If Before returns true, a create request fails without storing the item. If
	// After returns true, the server stores the item, but the request fails. The
	// argument is the number of the request, starting at
	// 1. Set both before the first request.
	Before, After func(request int) bool

	mu       sync.Mutex
	items    []map[string]any
	posts    int
	requests int
}

// New starts a server. The caller must close it.
func New() *Server {
	s := &Server{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items", s.list)
	mux.HandleFunc("POST /items", s.create)
	mux.HandleFunc("GET /items/{id}", s.get)
	mux.HandleFunc("DELETE /items/{id}", s.remove)
	s.Server = httptest.NewServer(mux)
	return s
}

// Items returns the stored items in the order of creation.
func (s *Server) Items() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.items)
}

// Posts returns the number of items stored so far.
func (s *Server) Posts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.posts
}

// Requests returns the number of valid create requests.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// user returns the user of a request. It ignores the scheme in the
// Authorization header.
func (s *Server) user(w http.ResponseWriter, r *http.Request) (string, bool) {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if _, known := Users[token]; known {
		return token, true
	}
	http.Error(w, "Authentication token is missing or invalid", http.StatusUnauthorized)
	return "", false
}

func (s *Server) readable(i map[string]any, user string, listing bool) bool {
	switch {
	case user == "root", i["isPublic"] == true:
		return true
	case i["isPrivate"] == true:
		return i["author"] == user
	case listing: // lists use a different field for the groups
		return false
	}
	groups, _ := i["groupList"].([]any)
	return i["author"] == user || slices.ContainsFunc(groups, func(g any) bool { return slices.Contains(Users[user], fmt.Sprint(g)) })
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	user, ok := s.user(w, r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	keyword := strings.ToLower(r.URL.Query().Get("keyword"))
	rows := []map[string]any{}
	for _, i := range s.items {
		text := strings.ToLower(fmt.Sprint(i["name"], "\n", i["author"], "\n", i["summary"]))
		if s.readable(i, user, true) && strings.Contains(text, keyword) {
			rows = append(rows, i)
		}
	}
	_ = json.NewEncoder(w).Encode(rows)
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	user, ok := s.user(w, r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.items {
		if i["id"] != r.PathValue("id") {
			continue
		}
		if !s.readable(i, user, false) {
			http.Error(w, "You are not allowed to do this operation", http.StatusForbidden)
			return
		}
		_ = json.NewEncoder(w).Encode(i)
		return
	}
	http.Error(w, "Result not found", http.StatusNotFound)
}

// remove responds to a missing item with a server error, like the original
// server.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	user, ok := s.user(w, r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.items, func(i map[string]any) bool { return i["id"] == r.PathValue("id") })
	switch {
	case at < 0:
		http.Error(w, "Cannot read property 'author' of null", http.StatusInternalServerError)
	case s.items[at]["author"] != user:
		http.Error(w, "You are not allowed to do this operation", http.StatusForbidden)
	default:
		s.items = slices.Delete(s.items, at, at+1)
		_, _ = io.WriteString(w, "deleted")
	}
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	user, ok := s.user(w, r)
	if !ok {
		return
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, 100<<10+1))
	if len(body) > 100<<10 {
		http.Error(w, "<!DOCTYPE html><pre>PayloadTooLargeError: request entity too large</pre>", http.StatusRequestEntityTooLarge)
		return
	}
	var i map[string]any
	switch err := json.Unmarshal(body, &i); {
	case err != nil:
		http.Error(w, "<!DOCTYPE html><pre>SyntaxError</pre>", http.StatusBadRequest)
	case i["author"] == nil:
		http.Error(w, "Author info is missing in require body", http.StatusBadRequest)
	case i["author"] != user:
		http.Error(w, fmt.Sprintf("You are not allowed to create item with author %s", i["author"]), http.StatusForbidden)
	case len([]rune(fmt.Sprint(i["name"]))) > 255 || len([]rune(fmt.Sprint(i["summary"]))) > 255:
		http.Error(w, "Database error", http.StatusInternalServerError)
	case !validProtocol(fmt.Sprint(i["protocol"])):
		http.Error(w, "The protocol is not valid", http.StatusBadRequest)
	default:
		s.store(w, i)
	}
}

func (s *Server) store(w http.ResponseWriter, i map[string]any) {
	s.mu.Lock()
	s.requests++
	request := s.requests
	used := slices.ContainsFunc(s.items, func(other map[string]any) bool { return i["id"] != nil && other["id"] == i["id"] })
	s.mu.Unlock()
	switch {
	case used:
		http.Error(w, "The item has already exists", http.StatusBadRequest)
		return
	case s.Before != nil && s.Before(request):
		http.Error(w, "Database connection failed", http.StatusInternalServerError)
		return
	}
	id := s.Add(i)
	if s.After != nil && s.After(request) {
		http.Error(w, "upstream timed out", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]string{"id": id})
}

// Add stores an item. If the item has no ID, Add generates one.
func (s *Server) Add(i map[string]any) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts++
	if i["id"] == nil {
		i["id"] = fmt.Sprintf("7b0d%04d", s.posts)
	}
	s.items = append(s.items, i)
	return i["id"].(string)
}
