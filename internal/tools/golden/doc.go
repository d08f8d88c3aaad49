// SPDX-License-Identifier: MPL-2.0

// Package golden compares test results with files in testdata. With UPDATE=1, it
// writes the files instead. Review the changes like code.
package golden
