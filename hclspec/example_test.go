// SPDX-License-Identifier: MPL-2.0

package hclspec_test

import (
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// The address of a declaration matches all instances of its for_each. A pattern can
// match several declarations.
func ExampleAddress_Matches() {
	train := hclspec.NewAddress("job", `train["small"]`)
	for _, pattern := range []hclspec.Address{"job.train", "job.*", `job.train["large"]`} {
		fmt.Println(pattern, train.Matches(pattern))
	}
	// Output:
	// job.train true
	// job.* true
	// job.train["large"] false
}

// Declaration removes an instance key, but not the labels of a prerequisite.
func ExampleAddress_Declaration() {
	fmt.Println(hclspec.Address(`job.train["small"]`).Declaration())
	fmt.Println(hclspec.NewAddress("prerequisite", "data", "3dunet").Declaration())
	// Output:
	// job.train
	// prerequisite.data["3dunet"]
}

// CompareNatural compares numbers in addresses by value.
func ExampleCompareNatural() {
	jobs := []hclspec.Address{"job.exp[10]", "job.exp[9]", "job.base"}
	slices.SortFunc(jobs, hclspec.CompareNatural)
	fmt.Println(jobs)
	// Output: [job.base job.exp[9] job.exp[10]]
}

// Suggest returns a sentence for an error message about an unknown name.
func ExampleSuggest() {
	fmt.Println("Unknown argument memoryMb." + hclspec.Suggest("memoryMb", []string{"cpu", "gpu", "memory_mb"}))
	// Output: Unknown argument memoryMb. Did you mean "memory_mb"?
}
