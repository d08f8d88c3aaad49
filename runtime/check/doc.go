// Package check looks, before a task starts, whether its ports are free and
// whether its image exists. Doubt is never a failure.
package check
