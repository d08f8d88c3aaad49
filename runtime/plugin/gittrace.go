//go:build unix

package plugin

import (
	"bufio"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

// gitResponse is the last answer of a git server over HTTP.
type gitResponse struct {
	status int           // 0: none
	wait   time.Duration // Retry-After
}

var (
	gitStatus     = regexp.MustCompile(`Recv header: HTTP/\S+ (\d{3})`)
	gitRetryAfter = regexp.MustCompile(`(?i)Recv header: Retry-After: *(.*?)\s*$`)
)

// maxTraceLine bounds a line of the trace: no header that git accepts is longer.
const maxTraceLine = 1 << 20

// readGitTrace reads what GIT_TRACE_CURL left. Without HTTP there is nothing.
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

// isTransient reports whether trying again may help: after too many requests and
// failures of the server, not after a refusal. Without an HTTP answer, git's
// words decide.
func (a gitResponse) isTransient(lines []string) bool {
	switch {
	case a.status == http.StatusTooManyRequests, a.status >= 500:
		return true
	case a.status >= 400:
		return false
	}
	return gitTransient.MatchString(strings.Join(lines, "\n"))
}
