// Package imports holds no code: its tests keep the imports between the
// packages of this module pointing one way, as docs/architecture.md draws
// them.
package imports
