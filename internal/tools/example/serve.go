// SPDX-License-Identifier: MPL-2.0

package example

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// Serve returns a web server that serves the files of a directory to the examples.
// It requires a login for paths below /private/, and responds with an error for
// paths below /broken/. For paths below /api/ and /apis/, it acts as the API server
// of a cluster whose objects are the files.
func Serve(dir string) http.Handler {
	mux := http.NewServeMux()
	files := http.FileServer(http.Dir(dir))
	mux.Handle("/", files)
	for path, status := range map[string]int{"/private/": http.StatusUnauthorized, "/broken/": http.StatusBadRequest} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, http.StatusText(status), status) })
	}
	for _, path := range []string{"/api/", "/apis/"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			answer(w, filepath.Join(dir, filepath.FromSlash(r.URL.Path)), r)
		})
	}
	return mux
}

// answer writes the response of an API server for an object: the file of the
// method, the file of the object, or the status "not found". If the response has a
// code, like a Status object, the code is also the HTTP status code.
func answer(w http.ResponseWriter, object string, r *http.Request) {
	text, err := os.ReadFile(object + "." + r.Method)
	if err != nil {
		text, err = os.ReadFile(object)
	}
	switch {
	case err == nil:
	case r.Method != http.MethodGet:
		text, _ = io.ReadAll(r.Body) // the response to a write is the written object
	case namesObject(r.URL.Path):
		text = []byte(`{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404, "reason": "NotFound", "message": "not found"}`)
	default:
		text = []byte(`{"kind": "List", "apiVersion": "v1", "metadata": {}, "items": []}`)
	}
	var status struct{ Code int }
	if json.Unmarshal(text, &status) == nil && status.Code != 0 {
		w.WriteHeader(status.Code)
	}
	_, _ = w.Write(text) // fails only if the client has disconnected
}

// namesObject reports whether a path of an API server refers to an object, not to a
// list. A path consists of /api/v1 or /apis/GROUP/VERSION, and pairs of a resource
// and a name. The path of a list ends with a resource, without a name.
func namesObject(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	root := map[string]int{"api": 2, "apis": 3}[parts[0]]
	return len(parts) > root && (len(parts)-root)%2 == 0
}
