// SPDX-License-Identifier: MPL-2.0

package view

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxJobs is the maximum length of a list of jobs in text and Markdown.
const maxJobs = 240

// Jobs formats addresses as one list; see [hclspec.FoldAddresses]. A long list ends
// with the number of the other jobs.
func Jobs(addresses []hclspec.Address) string {
	return clean(hclspec.ListAddresses(addresses, maxJobs))
}

// allJobs formats addresses as one list, however long it is.
func allJobs(addresses []hclspec.Address) string {
	return clean(strings.Join(hclspec.FoldAddresses(addresses), ", "))
}
