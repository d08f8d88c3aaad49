// SPDX-License-Identifier: MPL-2.0

// Package golden compares test results with files in testdata. With UPDATE=1, it
// writes the results to the files. Review changes to the files in the same way
// as changes to code.
package golden
