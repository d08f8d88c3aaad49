// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// gitServer starts a server that responds to each request with the status. It
// returns the server's address.
func gitServer(status int) func(t *testing.T) string {
	return func(t *testing.T) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(s.Close)
		return s.URL
	}
}

// listening returns a function that starts a TCP server and returns its URL.
// The server calls serve for each connection.
func listening(serve func(*net.TCPConn)) func(t *testing.T) string {
	return func(t *testing.T) string {
		l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.AcceptTCP()
				if err != nil {
					return
				}
				t.Cleanup(func() { _ = c.Close() })
				serve(c)
			}
		}()
		return "http://" + l.Addr().String()
	}
}

// TestEachGitFailureHasItsClassAndMessage checks the cause and message of each git
// failure. A fetch must retry transient failures for at least a minute.
func TestEachGitFailureHasItsClassAndMessage(t *testing.T) {
	t.Parallel()
	fixed := func(url string) func(*testing.T) string { return func(*testing.T) string { return url } }
	for name, c := range map[string]struct {
		source  func(*testing.T) string
		failure Failure
		line    string // its beginning
	}{
		"a port on which nothing listens": {func(t *testing.T) string {
			s := httptest.NewServer(nil)
			s.Close()
			return s.URL
		}, FailureNoListener, "fatal: unable to access "},
		"an unknown host":                                          {fixed("http://no-such-host.invalid"), FailureUnknownHost, "fatal: unable to access "},
		"a server that resets connections":                         {listening(reset), FailureUnreachable, "fatal: unable to access "},
		"a server that closes connections":                         {listening(func(c *net.TCPConn) { _ = c.Close() }), FailureUnreachable, "fatal: unable to access "},
		"a server that sends nothing, and then closes connections": {listening(silentOnce()), FailureUnreachable, "fatal: unable to access "},
		"a certificate that is not trusted":                        {tlsServer, FailureCertificate, "fatal: unable to access "},
		"a server without TLS at an https address": {func(t *testing.T) string {
			return strings.Replace(gitServer(http.StatusOK)(t), "http:", "https:", 1)
		}, FailureRefused, "fatal: unable to access "},
		"400":                             {gitServer(http.StatusBadRequest), FailureRefused, "fatal: unable to access "},
		"401":                             {gitServer(http.StatusUnauthorized), FailureRefused, "fatal: could not read Username"},
		"403":                             {gitServer(http.StatusForbidden), FailureRefused, "fatal: unable to access "},
		"404":                             {gitServer(http.StatusNotFound), FailureRefused, "fatal: repository "},
		"408":                             {gitServer(http.StatusRequestTimeout), FailureUnreachable, "fatal: unable to access "},
		"429":                             {gitServer(http.StatusTooManyRequests), FailureUnreachable, "fatal: unable to access "},
		"500":                             {gitServer(http.StatusInternalServerError), FailureUnreachable, "fatal: unable to access "},
		"503":                             {gitServer(http.StatusServiceUnavailable), FailureUnreachable, "fatal: unable to access "},
		"a directory that does not exist": {fixed("file:///no/such"), FailureRefused, "fatal: '/no/such/r.git' does not appear to be a git repository"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := withGit(t, "")
			if strings.Contains(name, "sends nothing") {
				f.Silence = time.Second
			}
			err := f.Fetch(t.Context(), runspec.Fetch{URL: "git::" + c.source(t) + "/r.git?ref=v1", To: filepath.Join(t.TempDir(), "to"), Retries: 1})
			if got := FailureOf(err); got != c.failure || err == nil || !strings.Contains(err.Error(), "git failed: "+c.line) {
				t.Errorf("failure %d, want %d: %v", got, c.failure, err)
			}
			waited := time.Duration(0)
			for _, p := range f.pauses {
				waited += p
			}
			if transient := c.failure == FailureUnreachable; transient != (waited >= patience) || !transient && waited > 0 {
				t.Errorf("it waited %s", waited)
			}
		})
	}
}

// TestAGitFetchIntoAFullDiskIsNotRepeated checks that a full disk ends a fetch. A
// retry would download the commit again.
func TestAGitFetchIntoAFullDiskIsNotRepeated(t *testing.T) {
	t.Parallel()
	f, tries := newFetcher(""), 0
	f.Git = func(context.Context, string, map[string]string) error {
		tries++
		return &GitError{Reason: "exited with code 128", Lines: []string{"fatal: write error: No space left on device", "fatal: fetch-pack: invalid index-pack output"}}
	}
	err := f.Fetch(t.Context(), runspec.Fetch{URL: "git::https://example.com/r.git?ref=v1", To: filepath.Join(t.TempDir(), "to"), Retries: 3})
	if FailureOf(err) != FailureNoSpace || tries != 1 || len(f.pauses) != 0 {
		t.Errorf("%d tries, pauses %v: %v", tries, f.pauses, err)
	}
}

// reset waits for the client's request, and then resets the connection.
func reset(c *net.TCPConn) {
	_, _ = c.Read(make([]byte, 1))
	_ = c.SetLinger(0)
	_ = c.Close()
}

// silentOnce leaves the first connection open and closes later connections.
func silentOnce() func(*net.TCPConn) {
	var once sync.Once
	return func(c *net.TCPConn) {
		silent := false
		once.Do(func() { silent = true })
		if !silent {
			_ = c.Close()
		}
	}
}

func tlsServer(t *testing.T) string {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s.URL
}

// TestTheOutputOfGitShowsTheCause checks the failure cause that GitError determines
// from sample output. The samples are from ssh, and from several versions of git and
// curl.
func TestTheOutputOfGitShowsTheCause(t *testing.T) {
	t.Parallel()
	const advice = "fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists."
	for name, c := range map[string]struct {
		output  string
		failure Failure
		line    string
	}{
		"nothing":                        {"", FailureOther, ""},
		"an older curl":                  {"fatal: unable to access 'http://h/r/': Failed to connect to h port 80: Connection refused", FailureNoListener, "fatal: unable to access 'http://h/r/': Failed to connect to h port 80: Connection refused"},
		"curl times out":                 {"fatal: unable to access 'http://h/r/': Failed to connect to h port 80 after 131077 ms: Timeout was reached", FailureUnreachable, "fatal: unable to access 'http://h/r/': Failed to connect to h port 80 after 131077 ms: Timeout was reached"},
		"ssh is refused":                 {"ssh: connect to host h port 22: Connection refused\n" + advice, FailureNoListener, "ssh: connect to host h port 22: Connection refused"},
		"ssh times out":                  {"ssh: connect to host h port 22: Connection timed out\n" + advice, FailureUnreachable, "ssh: connect to host h port 22: Connection timed out"},
		"ssh knows no host":              {"ssh: Could not resolve hostname h: Name or service not known\n" + advice, FailureUnknownHost, "ssh: Could not resolve hostname h: Name or service not known"},
		"ssh has no name server":         {"ssh: Could not resolve hostname h: Temporary failure in name resolution\n" + advice, FailureUnreachable, "ssh: Could not resolve hostname h: Temporary failure in name resolution"},
		"ssh has no key":                 {"git@h: Permission denied (publickey).\n" + advice, FailureRefused, "git@h: Permission denied (publickey)."},
		"ssh is closed":                  {"kex_exchange_identification: Connection closed by remote host\n" + advice, FailureUnreachable, "kex_exchange_identification: Connection closed by remote host"},
		"the transfer breaks":            {"error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF\nfatal: fetch-pack: invalid index-pack output", FailureUnreachable, "error: RPC failed; curl 18 transfer closed with outstanding read data remaining"},
		"a daemon that denies":           {"fatal: remote error: access denied or repository not exported: /r\nfatal: The remote end hung up unexpectedly", FailureRefused, "fatal: remote error: access denied or repository not exported: /r"},
		"the server ends the connection": {"fatal: Could not read from remote repository.\n\n" + advice, FailureUnreachable, "fatal: Could not read from remote repository."},
		"something else, and advice":     {"warning: x\nfatal: the index is damaged\nhint: see git help", FailureOther, "fatal: the index is damaged"},
		"a full disk":                    {"error: unable to write file data: No space left on device\nfatal: unable to checkout working tree", FailureNoSpace, "error: unable to write file data: No space left on device"},
		"credentials":                    {"fatal: unable to access 'https://alice:pw@h/r?sig=1': SSL certificate problem: x", FailureCertificate, "fatal: unable to access 'https://h/r?...': SSL certificate problem: x"},
		"no error":                       {"a\nb", FailureOther, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &GitError{Reason: "exited with code 128", Lines: strings.Split(c.output, "\n")}
			if e.Failure() != c.failure || e.Line() != c.line {
				t.Errorf("failure %d, line %q", e.Failure(), e.Line())
			}
		})
	}
}
