// SPDX-License-Identifier: MPL-2.0

// Package exports reads the variables that a script has exported. The shell prints
// the variables before it exits, in the format of "export -p". Package runtime
// decides which of these variables other scripts receive.
package exports
