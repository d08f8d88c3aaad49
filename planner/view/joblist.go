// SPDX-License-Identifier: MPL-2.0

package view

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxJobs is the maximum length of a job list, in characters.
const maxJobs = 240

// Jobs formats addresses as a list; see [hclspec.FoldAddresses]. A long list ends
// with the number of omitted jobs.
func Jobs(addresses []hclspec.Address) string {
	return clean(hclspec.ListAddresses(addresses, maxJobs))
}

// allJobs is like Jobs, but does not limit the length of the list.
func allJobs(addresses []hclspec.Address) string {
	return clean(strings.Join(hclspec.FoldAddresses(addresses), ", "))
}
