// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"bufio"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

// gitResponse is the last HTTP response from a git server.
type gitResponse struct {
	status int           // 0: none
	wait   time.Duration // Retry-After
}

var (
	gitStatus     = regexp.MustCompile(`Recv header: HTTP/\S+ (\d{3})`)
	gitRetryAfter = regexp.MustCompile(`(?i)Recv header: Retry-After: *(.*?)\s*$`)
)

// maxTraceLine is the maximum length of a trace line, in bytes. git does not accept
// longer headers.
const maxTraceLine = 1 << 20

// readGitTrace reads the GIT_TRACE_CURL file. It returns the zero value if the
// file contains no HTTP response.
func readGitTrace(name string, now time.Time) gitResponse {
	var a gitResponse
	f, err := os.Open(name)
	if err != nil {
		return a
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxTraceLine)
	for lines.Scan() {
		if m := gitStatus.FindStringSubmatch(lines.Text()); m != nil {
			a = gitResponse{}
			a.status, _ = strconv.Atoi(m[1]) // three digits
		} else if m := gitRetryAfter.FindStringSubmatch(lines.Text()); m != nil {
			a.wait = fetch.RetryAfter(m[1], now)
		}
	}
	return a
}

// failure returns the failure for an HTTP error status. Without an error
// status, it returns the failure that git's messages show.
func (a gitResponse) failure(e *fetch.GitError) fetch.Failure {
	if a.status >= http.StatusBadRequest {
		return fetch.StatusFailure(a.status)
	}
	return e.Failure()
}
