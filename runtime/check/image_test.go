// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// The check finds images in a real registry through every valid form of
// reference.
func TestImagesOfARealRegistryAreFound(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(s.Close)
	host := strings.TrimPrefix(s.URL, "http://")
	image, err := random.Image(64, 1)
	if err != nil {
		t.Fatal(err)
	}
	image = mutate.MediaType(image, types.OCIManifestSchema1)
	index, err := random.Index(64, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"V1.0-GPU", "latest"} {
		ref, err := name.ParseReference(host + "/team/torch:" + tag)
		if err != nil {
			t.Fatal(err)
		}
		if err := remote.Write(ref, image); err != nil {
			t.Fatal(err)
		}
	}
	ref, _ := name.ParseReference(host + "/team/index:1")
	if err := remote.WriteIndex(ref, index); err != nil {
		t.Fatal(err)
	}
	digest, _ := image.Digest()
	for reference, want := range map[string]State{
		"/team/torch":                                   Exists,
		"/team/torch:V1.0-GPU":                          Exists,
		"/team/torch@" + digest.String():                Exists,
		"/team/torch:latest@" + digest.String():         Exists,
		"/team/index:1":                                 Exists,
		"/team/torch:2":                                 Missing,
		"/nobody/has/this":                              Missing,
		"/team/torch@sha256:" + fmt.Sprintf("%064d", 1): Missing,
	} {
		if got, why := Image(t.Context(), Client(), host+reference, nil); got != want {
			t.Errorf("%s: %v (%s), want %v", reference, got, why, want)
		}
	}
	if got, why := Image(t.Context(), Client(), "Not An Image!", nil); got != Missing || !strings.Contains(why, "is not a valid image name") {
		t.Errorf("no reference: %v %s", got, why)
	}
}

// answers describes a registry that always returns the same responses.
type answers struct {
	manifest      int // without a token
	withToken     int
	token         int
	tokenBody     string
	challenge     string // %s is the address of the server
	retryAfter    string
	requests      atomic.Int32
	authorization []string
	scope         string
	accept        string
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.requests.Add(1)
	if r.URL.Path == "/token" {
		a.authorization = append(a.authorization, r.Header.Get("Authorization"))
		a.scope = r.URL.Query().Get("scope")
		w.WriteHeader(a.token)
		_, _ = io.WriteString(w, a.tokenBody)
		return
	}
	code := a.manifest
	a.accept = r.Header.Get("Accept")
	if auth := r.Header.Get("Authorization"); auth != "" {
		a.authorization = append(a.authorization, auth)
		code = a.withToken
	}
	if code == http.StatusUnauthorized && a.challenge != "" {
		w.Header().Add("Www-Authenticate", strings.ReplaceAll(a.challenge, "%s", r.Host))
	}
	if a.retryAfter != "" {
		w.Header().Set("Retry-After", a.retryAfter)
	}
	w.WriteHeader(code)
}

// An uncertain result is never a failure. A missing image and a rejected login are
// failures.
func TestDoubtIsNeverAFailure(t *testing.T) {
	t.Parallel()
	const bearer = `Bearer realm="http://%s/token",service="registry",scope="repository:a/b:pull,push"`
	login := Login{"alice", `p&<>"'wörd`}
	for label, c := range map[string]struct {
		registry *answers
		login    bool
		want     State
		why      string
	}{
		"the image exists":                                             {&answers{manifest: 200}, false, Exists, ""},
		"it is not there":                                              {&answers{manifest: 404}, false, Missing, "does not contain the image"},
		"too many requests":                                            {&answers{manifest: 429}, false, Unknown, "429"},
		"too many requests, temporarily":                               {&answers{manifest: 429, retryAfter: "0"}, false, Unknown, "429"},
		"an error of the server":                                       {&answers{manifest: 500}, false, Unknown, "500"},
		"forbidden without a login":                                    {&answers{manifest: 403}, false, Unknown, "403"},
		"a login is required but not set":                              {&answers{manifest: 401, challenge: `Basic realm="r"`}, false, Unknown, "requires a login, but the job does not provide one"},
		"no challenge at all":                                          {&answers{manifest: 401}, false, Unknown, "requires a login, but the job does not provide one"},
		"an anonymous token":                                           {&answers{manifest: 401, challenge: bearer, token: 200, tokenBody: `{"token":"t"}`, withToken: 200}, false, Exists, ""},
		"a token in the other field of the response":                   {&answers{manifest: 401, challenge: bearer, token: 200, tokenBody: `{"access_token":"t"}`, withToken: 200}, false, Exists, ""},
		"a private image without a login":                              {&answers{manifest: 401, challenge: bearer, token: 200, tokenBody: `{"token":"t"}`, withToken: 401}, false, Unknown, "401"},
		"no anonymous token":                                           {&answers{manifest: 401, challenge: bearer, token: 401}, false, Unknown, "401"},
		"not found by a registry with tokens":                          {&answers{manifest: 401, challenge: bearer, token: 200, tokenBody: `{"token":"t"}`, withToken: 404}, false, Missing, "does not contain the image"},
		"the login service does not exist":                             {&answers{manifest: 401, challenge: bearer, token: 404}, false, Unknown, "404"},
		"the login service is broken":                                  {&answers{manifest: 401, challenge: bearer, token: 200, tokenBody: `<html>`}, false, Unknown, "no token"},
		"a login, basic":                                               {&answers{manifest: 401, challenge: `Basic realm="x, y"`, withToken: 200}, true, Exists, ""},
		"a login, basic, refused":                                      {&answers{manifest: 401, challenge: `Basic realm="x"`, withToken: 401}, true, Missing, `rejects the user "alice"`},
		"a login, by token":                                            {&answers{manifest: 401, challenge: bearer, token: 200, tokenBody: `{"token":"t"}`, withToken: 200}, true, Exists, ""},
		"a login that the token service rejects":                       {&answers{manifest: 401, challenge: bearer, token: 401}, true, Missing, "rejects the user"},
		"basic authentication is used if the registry offers it first": {&answers{manifest: 401, challenge: `Basic realm="x", ` + bearer, withToken: 200}, true, Exists, ""},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(c.registry)
			t.Cleanup(s.Close)
			host := strings.TrimPrefix(s.URL, "http://")
			logins := Logins{}
			if c.login {
				logins[host] = login
			}
			got, why := Image(t.Context(), Client(), host+"/a/b:1", logins)
			if got != c.want || !strings.Contains(why, c.why) {
				t.Errorf("%v %q, want %v %q", got, why, c.want, c.why)
			}
			if strings.Contains(why, login.Password) {
				t.Errorf("%q contains the password", why)
			}
			if n := c.registry.requests.Load(); n > 3 {
				t.Errorf("%d requests", n)
			}
			if !strings.Contains(c.registry.accept, "application/vnd.oci.image.index.v1+json") {
				t.Errorf("asked for %q only", c.registry.accept)
			}
			if c.registry.token == 200 && c.registry.scope != "repository:a/b:pull,push" {
				t.Errorf("scope %q", c.registry.scope)
			}
		})
	}
}

// A registry that never responds must not delay the task.
func TestARegistryThatDoesNotAnswerHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(stop) })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if got, why := Image(ctx, Client(), strings.TrimPrefix(s.URL, "http://")+"/a", nil); got != Unknown {
		t.Errorf("%v %s", got, why)
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	if got, why := Image(t.Context(), Client(), strings.TrimPrefix(gone.URL, "http://")+"/a", nil); got != Unknown {
		t.Errorf("%v %s", got, why)
	}
	if Client().Timeout == 0 {
		t.Error("a request has no timeout")
	}
}

func TestLoginsAreReadFromADockerConfiguration(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	text := `{"auths":{"https://index.docker.io/v1/":{"auth":"YWxpY2U6cDpxJjw="},"registry.example:5000":{"username":"bob","password":"x"},"empty.example":{}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	logins, err := ReadLogins(file)
	if err != nil || len(logins) != 2 || logins["docker.io"] != (Login{"alice", "p:q&<"}) || logins["registry.example:5000"] != (Login{"bob", "x"}) {
		t.Errorf("%v, error %v", logins, err)
	}
	if logins, err := ReadLogins(filepath.Join(t.TempDir(), "none")); logins != nil || err != nil {
		t.Errorf("no file: %v, %v", logins, err)
	}
	if err := os.WriteFile(file, []byte(`secret-text`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLogins(file); err == nil || strings.Contains(err.Error(), "secret-text") {
		t.Errorf("no JSON: %v", err)
	}
}
