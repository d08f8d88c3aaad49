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

// Serve returns an HTTP handler for the files in a directory. It always responds
// with status 401 below /private/, and with status 400 below /broken/. For paths
// below /api/ and /apis/, it acts as the API server of a cluster. The files are
// the objects of this cluster.
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

// answer writes an API server's response for an object or a list: the file
// OBJECT.METHOD, or else the file OBJECT. Without a file, a write returns the
// written object, and a read returns an empty list or the status "not found". The
// HTTP status code is the code field of the response, if present, as in a Status
// object.
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

// namesObject reports whether a request path refers to one object, not to a list.
// After /api/v1 or /apis/GROUP/VERSION, a path has pairs of a resource and a name.
// The path of a list ends with a resource.
func namesObject(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	root := map[string]int{"api": 2, "apis": 3}[parts[0]]
	return len(parts) > root && (len(parts)-root)%2 == 0
}
