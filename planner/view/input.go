// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// shownImages is the maximum number of listed images without a digest.
const shownImages = 5

// inputNotes returns notes about downloads and images for the jobs that the
// plan starts.
func inputNotes(in planner.Inputs) []string {
	var notes []string
	if note := dataNote(in.Downloads); note != "" {
		notes = append(notes, note)
	}
	if note := imageNote(in.Images); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// dataNote returns a note such as "Data to fetch: 3 downloads, 1.4 GiB and 1 of
// unknown size; 2 downloads in the cache, 286 MiB." It counts a download once
// even if several tasks need it.
func dataNote(all []planner.Download) string {
	if len(all) == 0 {
		return ""
	}
	cached, unknown := 0, 0
	var bytes, cachedBytes int64
	for _, d := range all {
		switch {
		case d.Cached:
			cached++
			cachedBytes += d.Size
		case d.Size == 0:
			unknown++
		default:
			bytes += d.Size
		}
	}
	var parts []string
	switch n := len(all) - cached; {
	case n == 0:
	case unknown == n:
		parts = append(parts, quantity.Count(n, "download")+" of unknown size")
	case unknown > 0:
		parts = append(parts, fmt.Sprintf("%s, %s and %d of unknown size", quantity.Count(n, "download"), quantity.Bytes(bytes), unknown))
	default:
		parts = append(parts, fmt.Sprintf("%s, %s", quantity.Count(n, "download"), quantity.Bytes(bytes)))
	}
	if cached > 0 {
		parts = append(parts, fmt.Sprintf("%s in the cache, %s", quantity.Count(cached, "download"), quantity.Bytes(cachedBytes)))
	}
	if cached == len(all) {
		return "Data to fetch: none; " + parts[0] + "."
	}
	return "Data to fetch: " + strings.Join(parts, "; ") + "."
}

// imageNote returns "Images: 3; without a digest: busybox, python:3."
func imageNote(all []planner.UsedImage) string {
	var references, unpinned []string
	for _, i := range all {
		if slices.Contains(references, i.Reference) {
			continue // on another cluster
		}
		references = append(references, i.Reference)
		if !i.Pinned {
			unpinned = append(unpinned, clean(i.Reference))
		}
	}
	switch n := len(unpinned); {
	case len(references) == 0:
		return ""
	case n == 0:
		return fmt.Sprintf("Images: %d; each has a digest.", len(references))
	case n > shownImages:
		unpinned = append(unpinned[:shownImages:shownImages], fmt.Sprintf("and %d more", n-shownImages))
		fallthrough
	default:
		return fmt.Sprintf("Images: %d; without a digest: %s.", len(references), strings.Join(unpinned, ", "))
	}
}

// inputsJSON contains the inputs for JSON output.
type inputsJSON struct {
	Downloads []planner.Download  `json:"downloads"`
	Images    []planner.UsedImage `json:"images"`
}

func toInputsJSON(in planner.Inputs) inputsJSON {
	return inputsJSON{append([]planner.Download{}, in.Downloads...), append([]planner.UsedImage{}, in.Images...)}
}
