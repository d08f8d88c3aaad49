// SPDX-License-Identifier: MPL-2.0

package output

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// maxName is the maximum length, in bytes, of a list of instances in the
// output.
const maxName = 60

// sharedLines groups jobs into output lines. Instances of one for_each share a line
// if key returns the same string for them. Jobs whose key is empty have separate
// lines. If the list of instances is longer than maxName, only adjacent instances
// share a line. The lines are sorted by the position of their first job.
func sharedLines[T any](all []T, address func(T) string, key func(T) string) [][]int {
	same := map[[2]string][]int{}
	for i, one := range all {
		at, k := hclspec.Address(address(one)), key(one)
		if of := at.Declaration(); of != at && k != "" {
			same[[2]string{string(of), k}] = append(same[[2]string{string(of), k}], i)
			continue
		}
		same[[2]string{fmt.Sprint(i)}] = []int{i}
	}
	var lines [][]int
	for _, members := range same {
		if len(view.Jobs(addressesAt(all, members, address))) <= maxName {
			lines = append(lines, fewAlone(members)...)
			continue
		}
		for len(members) > 0 {
			n := 1
			for n < len(members) && members[n] == members[n-1]+1 {
				n++
			}
			lines = append(lines, fewAlone(members[:n])...)
			members = members[n:]
		}
	}
	slices.SortFunc(lines, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return lines
}

// fewAlone returns one line for all members, or separate lines for fewer than
// hclspec.MinShared members.
func fewAlone(members []int) [][]int {
	if len(members) >= hclspec.MinShared {
		return [][]int{members}
	}
	var lines [][]int
	for _, m := range members {
		lines = append(lines, []int{m})
	}
	return lines
}

func addressesAt[T any](all []T, members []int, address func(T) string) []hclspec.Address {
	var addresses []hclspec.Address
	for _, m := range members {
		addresses = append(addresses, hclspec.Address(address(all[m])))
	}
	return addresses
}

// nameOf lists the instances without "job.". If the list would be longer than
// maxName, it contains only the first and the last instance: exp["a" ... "z"].
func nameOf(instances []hclspec.Address) string {
	name := func(part []hclspec.Address) string { return strings.TrimPrefix(view.Jobs(part), "job.") }
	if all := name(instances); len(instances) == 1 || len(all) <= maxName {
		return all
	}
	first, last := name(instances[:1]), instances[len(instances)-1]
	key := strings.TrimPrefix(string(last), string(last.Declaration())+"[")
	return strings.TrimSuffix(first, "]") + " ... " + key
}

// sharedRows returns the table of jobs. Instances of one for_each share a row if they
// differ only in name and age. The columns TASKS and GPUS of a shared row contain
// totals.
func (c Columns) sharedRows(all []Summary, now time.Time) [][]string {
	lines := sharedLines(all, func(s Summary) string { return s.Address }, func(s Summary) string {
		if c.Usage {
			return "" // jobs differ in their usage
		}
		row := c.Row(s, now)
		row[0], row[c.age()] = "", ""
		return strings.Join(row, "\n")
	})
	if len(lines) == len(all) {
		return c.rows(all, now)
	}
	rows := [][]string{slices.Insert(c.Head(), 1, "JOBS")}
	for _, members := range lines {
		row := c.Row(all[members[0]], now)
		if len(members) > 1 {
			c.addUp(row, all, members, now)
		}
		rows = append(rows, slices.Insert(row, 1, fmt.Sprint(len(members))))
	}
	return rows
}

func (c Columns) age() int { return slices.Index(c.Head(), "AGE") }

// addUp combines the names, ages and numbers of the jobs in a row.
func (c Columns) addUp(row []string, all []Summary, members []int, now time.Time) {
	names := addressesAt(all, members, func(s Summary) string { return s.Address })
	row[0] = nameOf(names)
	youngest, oldest := all[members[0]], all[members[0]]
	tasksDone, tasks, gpus := 0, 0, 0
	for _, m := range members {
		s := all[m]
		if s.Created.After(youngest.Created) {
			youngest = s
		}
		if s.Created.Before(oldest.Created) {
			oldest = s
		}
		done, of := s.tasks()
		tasksDone, tasks, gpus = tasksDone+done, tasks+of, gpus+s.GPUs
	}
	age := c.age()
	row[age-1] = fmt.Sprintf("%d/%d", tasksDone, tasks)
	if row[age] = youngest.age(now); row[age] != oldest.age(now) {
		row[age] += "-" + oldest.age(now)
	}
	if gpus >= 0 {
		row[age+1] = fmt.Sprint(gpus)
	}
}

// Statuses prints jobs with their tasks, and an empty line between two jobs.
func Statuses(out io.Writer, colored bool, statuses []*cluster.Status) {
	for n, st := range statuses {
		if n > 0 {
			fmt.Fprintln(out)
		}
		Status(out, colored, st)
	}
}

// SharedStatuses prints jobs in the format of [Statuses]. It combines instances of
// one for_each if they have no tasks and differ only in the address.
func SharedStatuses(out io.Writer, colored bool, statuses []*cluster.Status) {
	address := func(st *cluster.Status) string { return st.Address }
	var shown []*cluster.Status
	for _, members := range sharedLines(statuses, address, factsWithoutTasks) {
		st := *statuses[members[0]]
		if len(members) > 1 {
			st.Address = view.Jobs(addressesAt(statuses, members, address)) + " (" + quantity.Count(len(members), "job") + ")"
		}
		shown = append(shown, &st)
	}
	Statuses(out, colored, shown)
}

// factsWithoutTasks returns the output of [Status] without the address, or "" for a
// job with tasks.
func factsWithoutTasks(st *cluster.Status) string {
	if len(st.TaskRoles) > 0 {
		return ""
	}
	var text strings.Builder
	unnamed := *st
	unnamed.Address = ""
	Status(&text, false, &unnamed)
	return text.String()
}
