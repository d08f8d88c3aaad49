// SPDX-License-Identifier: MPL-2.0

package exitspec

import "bytes"

// contextLines is the number of lines shown before a matching line.
const contextLines = 3

// excerpt returns at most limit sanitized lines: the lines around the match, or the
// last lines without a match. It omits empty lines at the end.
func excerpt(log []byte, match *span, limit int) []string {
	log = bytes.TrimRight(log, "\r\n\t ")
	if len(log) == 0 {
		return nil
	}
	end := len(log)
	if match != nil {
		start := previousLines(log, min(match.start, len(log)), contextLines)
		end = nextLines(log, start, limit)
	}
	start := previousLines(log, lineStart(log, end), limit-1)
	var lines []string
	for _, line := range bytes.Split(log[start:end], []byte("\n")) {
		lines = append(lines, sanitize(line))
	}
	return lines[max(0, len(lines)-limit):]
}

// lineStart returns the offset of the start of the line that ends at
// log[end].
func lineStart(log []byte, end int) int {
	return bytes.LastIndexByte(log[:end], '\n') + 1
}

// previousLines returns the offset of the line that is n lines before
// log[start], or 0 if there are fewer lines.
func previousLines(log []byte, start, n int) int {
	for range n {
		if start == 0 {
			break
		}
		start = lineStart(log, start-1)
	}
	return start
}

// nextLines returns the offset of the newline after line n, or len(log) if
// there are fewer lines. Line 1 begins at log[start].
func nextLines(log []byte, start, n int) int {
	for range n {
		i := bytes.IndexByte(log[start:], '\n')
		if i < 0 {
			return len(log)
		}
		start += i + 1
	}
	return start - 1
}
