// SPDX-License-Identifier: MPL-2.0

// Package quantity formats numbers with their units or nouns: "1 job", "2
// jobs", "1.5 KiB".
package quantity
