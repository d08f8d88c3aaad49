// Package plainjson writes JSON as files and people want it: <, > and & stay as
// they are. encoding/json escapes them for HTML.
package plainjson
