// Package debian gets single packages of the Debian archive and reads the files
// in them, on any system and without Debian's programs. What comes is known by
// its digest before it is asked for, so it matters neither who serves it nor
// how. Installing, dependencies and lists of packages are not its business.
package debian
