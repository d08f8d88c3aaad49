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
)

// gitAnswer is the last answer of a git server over HTTP.
type gitAnswer struct {
	status int           // 0: none
	wait   time.Duration // Retry-After
}

var (
	gitStatus     = regexp.MustCompile(`Recv header: HTTP/\S+ (\d{3})`)
	gitRetryAfter = regexp.MustCompile(`(?i)Recv header: Retry-After: *(.*?)\s*$`)
)

// readGitTrace reads what GIT_TRACE_CURL left. Without HTTP there is nothing.
func readGitTrace(name string, now time.Time) gitAnswer {
	var a gitAnswer
	f, err := os.Open(name)
	if err != nil {
		return a
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := gitStatus.FindStringSubmatch(lines.Text()); m != nil {
			a = gitAnswer{}
			a.status, _ = strconv.Atoi(m[1]) // three digits
		} else if m := gitRetryAfter.FindStringSubmatch(lines.Text()); m != nil {
			a.wait = retryAfter(m[1], now)
		}
	}
	return a
}

// retryAfter reads seconds or a date (RFC 9110, section 10.2.3).
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(max(0, seconds)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// mayPass reports whether trying again may help: after too many requests and
// failures of the server, not after a refusal. Without an HTTP answer, git's
// words decide.
func (a gitAnswer) mayPass(lines []string) bool {
	switch {
	case a.status == http.StatusTooManyRequests, a.status >= 500:
		return true
	case a.status >= 400:
		return false
	}
	return gitTransient.MatchString(strings.Join(lines, "\n"))
}
