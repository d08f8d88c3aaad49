// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"regexp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
)

// GitError is the error that [Fetcher.Git] returns for a failed script.
type GitError struct {
	// Reason describes how the script ended, such as "exited with code 128".
	Reason string
	// Lines are the last lines that git printed.
	Lines []string
}

func (e *GitError) Error() string {
	text := "git " + e.Reason
	if line := e.Line(); line != "" {
		text += ": " + line
	}
	return text
}

// These patterns match English messages from git, curl and ssh. They are
// necessary because git does not have error codes. curl prints the same message
// for an unknown host and for a name server failure. It also prints one message
// for all causes of a failed connection, except for a timeout.
var (
	gitNameServer = regexp.MustCompile(`(?i)temporary failure in name resolution|resolving timed out`)
	gitNoHost     = regexp.MustCompile(`(?i)could not resolve|unable to look up|name or service not known`)
	gitNoPeer     = regexp.MustCompile(`(?i)connection refused|couldn't connect to server|no route to host|network is unreachable`)
	gitUntrusted  = regexp.MustCompile(`(?i)certificate`)
	gitRefused    = regexp.MustCompile(`(?i)returned error: 4(00|01|03|04|10)|authentication failed|could not read (username|password)|permission denied|access denied|` +
		`not found|does not exist|not appear to be a git repository|find remote ref|not our ref|not a valid object name|unexpected tls packet|wrong version number|host key verification`)
	gitTransient = regexp.MustCompile(`(?i)timed out|timeout was reached|connection (was )?reset|connection closed|broken pipe|empty reply from server|` +
		`early eof|unexpected eof|unexpected disconnect|hung up unexpectedly|operation too slow|rpc failed|could not read from remote repository|returned error: (408|425|429|5\d\d)`)
	gitNoSpace = regexp.MustCompile(`(?i)no space left on device|disk quota exceeded`)
	gitFailed  = regexp.MustCompile(`^(fatal|error|ssh): `)
)

// Failure derives the cause from the lines that git printed.
func (e *GitError) Failure() Failure {
	switch {
	case e.has(gitNoSpace):
		return FailureNoSpace
	case e.has(gitNameServer):
		return FailureUnreachable
	case e.has(gitNoHost):
		return FailureUnknownHost
	case e.has(gitNoPeer):
		return FailureNoListener
	case e.has(gitUntrusted):
		return FailureCertificate
	case e.has(gitRefused):
		return FailureRefused
	case e.has(gitTransient):
		return FailureUnreachable
	}
	return FailureOther
}

// Unconnected reports whether git could not connect to a server at the address. A
// possible cause is that the network is not ready yet.
func (e *GitError) Unconnected() bool {
	return e.has(gitNameServer) || e.has(gitNoHost) || e.has(gitNoPeer)
}

// Line returns the line that determined the failure, or else git's first
// error, or else the last line. The cause is not always in the last line,
// because git can print advice after an error.
func (e *GitError) Line() string {
	for _, expr := range []*regexp.Regexp{gitNoSpace, gitNameServer, gitNoHost, gitNoPeer, gitUntrusted, gitRefused, gitTransient, gitFailed} {
		if i := slices.IndexFunc(e.Lines, expr.MatchString); i >= 0 {
			return showURLs(e.Lines[i])
		}
	}
	if n := len(e.Lines); n > 0 {
		return showURLs(e.Lines[n-1])
	}
	return ""
}

var urls = regexp.MustCompile(`[a-z+]+://[^\s']+`)

// showURLs removes users, passwords and queries from the URLs in a line.
func showURLs(line string) string {
	return urls.ReplaceAllStringFunc(strings.TrimSpace(line), locator.Show)
}

func (e *GitError) has(expr *regexp.Regexp) bool {
	return slices.ContainsFunc(e.Lines, expr.MatchString)
}
