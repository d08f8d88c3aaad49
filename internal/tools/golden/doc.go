// Package golden compares what a test finds with files of testdata. With UPDATE=1
// it writes them instead: read the difference like code.
package golden
