// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// sums prints the resource usage before and after apply.
func (t *text) sums(p *planner.Plan) {
	if len(p.Sums) == 0 {
		return
	}
	t.line(0, t.bold("Resources of jobs that are not finished"))
	for _, s := range known(p.Sums) {
		t.line(1, clean(sumPlace(s))+": "+strings.Join(sumUsages(s, p.Offline), ", "))
	}
	for _, note := range planNotes(p) {
		t.sentence(1, t.dim, note)
	}
	t.blank()
}

// InUse returns the usage of running jobs on one kind of machine: "cluster
// gpu, virtual cluster default: 4 tasks, 8 GPUs, 24 CPUs, 32 GiB, price 20
// per hour".
func InUse(u planner.InUse) string {
	sum := planner.Sum{
		Cluster: u.Cluster, VirtualCluster: u.VirtualCluster, SKU: u.SKU, Before: u.Usage, After: u.Usage,
		PriceBefore: u.PricePerHour, PriceAfter: u.PricePerHour,
	}
	if (u.Usage == planner.Usage{}) {
		return clean(sumPlace(sum)) + ": " + notCounted(u.UnknownJobs)
	}
	return clean(sumPlace(sum)) + ": " + strings.Join(sumUsages(sum, false), ", ")
}

func notCounted(jobs int) string {
	return quantity.Count(jobs, "job") + " not counted: only hashes of the applied jobs are known"
}

// known omits sums that contain only jobs with unknown usage. A note in the
// plan reports the number of these jobs.
func known(sums []planner.Sum) []planner.Sum {
	return slices.DeleteFunc(slices.Clone(sums), func(s planner.Sum) bool {
		return s.Before == planner.Usage{} && s.After == planner.Usage{}
	})
}

// sumPlace describes the cluster, virtual cluster and kind of machine of a sum.
func sumPlace(s planner.Sum) string {
	place := "cluster " + s.Cluster
	if s.VirtualCluster != "" {
		place += ", virtual cluster " + s.VirtualCluster
	}
	if s.SKU != "" {
		place += ", SKU " + s.SKU
	}
	return place
}

// sumUsages returns usages such as "8 -> 12 GPUs (+4)". In an offline plan, the
// usage before apply is unknown.
func sumUsages(s planner.Sum, offline bool) []string {
	all := []string{changeOf(s.Before.Tasks, s.After.Tasks, "task", offline)}
	if s.Before.GPUs > 0 || s.After.GPUs > 0 {
		all = append(all, changeOf(s.Before.GPUs, s.After.GPUs, "GPU", offline))
	}
	all = append(all, changeOf(s.Before.CPUs, s.After.CPUs, "CPU", offline), memoryChange(s, offline))
	if s.PriceBefore > 0 || s.PriceAfter > 0 {
		all = append(all, priceChange(s, offline))
	}
	return all
}

// priceChange returns a change such as "price 20 -> 25.5 per hour (+5.5)", in
// the currency of the cluster block.
func priceChange(s planner.Sum, offline bool) string {
	after := price(s.PriceAfter) + " per hour"
	if offline || s.PriceBefore == s.PriceAfter {
		return "price " + after
	}
	sign := ""
	if s.PriceAfter > s.PriceBefore {
		sign = "+"
	}
	return fmt.Sprintf("price %s -> %s (%s%s)", price(s.PriceBefore), after, sign, price(s.PriceAfter-s.PriceBefore))
}

func price(n float64) string { return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 2, 64), ".00") }

func changeOf(before, after int, noun string, offline bool) string {
	if offline || before == after {
		return quantity.Count(after, noun)
	}
	return fmt.Sprintf("%d -> %s (%+d)", before, quantity.Count(after, noun), after-before)
}

func memoryChange(s planner.Sum, offline bool) string {
	before, after := s.Before.MemoryMB, s.After.MemoryMB
	if offline || before == after {
		return gibibytes(after) + " GiB"
	}
	sign := "+"
	if after < before {
		sign = ""
	}
	return fmt.Sprintf("%s -> %s GiB (%s%s)", gibibytes(before), gibibytes(after), sign, gibibytes(after-before))
}

// gibibytes formats a size in MiB as GiB, with one decimal place if needed.
func gibibytes(mib int) string { return oneDecimal(float64(mib) / 1024) }

func oneDecimal(n float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
}

// planNotes returns notes about sums, data and images.
func planNotes(p *planner.Plan) []string { return append(sumNotes(p.Sums), inputNotes(p.Inputs)...) }

// sumNotes returns notes about unknown usage and the GPU time of created and
// replaced jobs.
func sumNotes(sums []planner.Sum) []string {
	var seconds, retried int64
	unlimited, unknown, limited := 0, 0, true
	for _, s := range sums {
		seconds += s.GPUSeconds
		retried += s.RetriedGPUSeconds
		limited = limited && (s.GPUSeconds == 0 || s.RetriedGPUSeconds > 0)
		unlimited += s.Unlimited
		unknown += s.Unknown
	}
	var notes []string
	switch {
	case seconds > 0 && limited:
		notes = append(notes, fmt.Sprintf("Created and replaced jobs use at most %s GPU-hours, including all retries.", gpuHours(retried)))
	case seconds > 0:
		notes = append(notes, fmt.Sprintf("Created and replaced jobs use at most %s GPU-hours per attempt, not including retries.", gpuHours(seconds)))
	}
	if unlimited > 0 {
		notes = append(notes, fmt.Sprintf("GPUs of new tasks without max_run_time: %d.", unlimited))
	}
	if unknown > 0 {
		notes = append(notes, notCounted(unknown)+".")
	}
	return notes
}

func gpuHours(seconds int64) string { return oneDecimal(float64(seconds) / 3600) }

// sumTable returns the sums as a Markdown table.
func sumTable(p *planner.Plan) string {
	if len(p.Sums) == 0 || p.Empty() {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n| Resources of jobs that are not finished | |\n|---|---|\n")
	for _, s := range known(p.Sums) {
		fmt.Fprintf(&b, "| %s | %s |\n", inline(sumPlace(s)), strings.ReplaceAll(strings.Join(sumUsages(s, p.Offline), ", "), "->", "→"))
	}
	if notes := planNotes(p); len(notes) > 0 {
		fmt.Fprintf(&b, "\n%s\n", inline(strings.Join(notes, " ")))
	}
	return b.String()
}

// sumJSON contains the resource usage of the jobs on one kind of machine.
type sumJSON struct {
	Cluster        string `json:"cluster"`
	VirtualCluster string `json:"virtual_cluster"`
	SKU            string `json:"sku,omitempty"`
	// Before is absent in an offline plan. It does not include the jobs that
	// UnknownJobs counts.
	Before      *planner.Usage `json:"before,omitempty"`
	After       planner.Usage  `json:"after"`
	UnknownJobs int            `json:"unknown_jobs,omitempty"`
	PriceBefore float64        `json:"price_per_hour_before,omitempty" doc:"Price per hour before apply, if the SKU has a price"`
	PriceAfter  float64        `json:"price_per_hour_after,omitempty" doc:"Price per hour after apply, if the SKU has a price"`
	// GPUSeconds and UnlimitedGPUs include only created and replaced jobs.
	// GPUSeconds assumes that each task with max_run_time runs once, for the
	// full max_run_time. UnlimitedGPUs is the number of GPUs of tasks without
	// max_run_time.
	GPUSeconds        int64 `json:"gpu_seconds_per_attempt,omitempty" doc:"Maximum GPU time for one attempt of each new task with max_run_time"`
	RetriedGPUSeconds int64 `json:"gpu_seconds_with_retries,omitempty" doc:"Maximum GPU time with all retries; absent if a task has unlimited retries"`
	UnlimitedGPUs     int   `json:"unlimited_gpus,omitempty"`
}

func sumsJSON(p *planner.Plan) []sumJSON {
	all := make([]sumJSON, len(p.Sums))
	for i, s := range p.Sums {
		all[i] = sumJSON{
			Cluster: s.Cluster, VirtualCluster: s.VirtualCluster, SKU: s.SKU, After: s.After, UnknownJobs: s.Unknown,
			GPUSeconds: s.GPUSeconds, RetriedGPUSeconds: s.RetriedGPUSeconds, UnlimitedGPUs: s.Unlimited, PriceAfter: s.PriceAfter,
		}
		if !p.Offline {
			all[i].Before, all[i].PriceBefore = &s.Before, s.PriceBefore
		}
	}
	return all
}
