// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// generated is a random workspace. The map keys are block names. The write method
// writes the values as HCL. Blocks are sorted by name in their file.
type generated struct {
	epochs        int
	secret        string
	prerequisites map[string]*generatedPrerequisite
	jobs          map[string]*generatedJob
	moved         map[string]string // from, to
}

type generatedPrerequisite struct {
	command, environment int
	requires             string
}

type generatedJob struct {
	instances, command, retries, description, epochsOf int
	keys                                               int // 0: no for_each
	uses                                               []string
	secret, gang, again, runTime                       bool
	second                                             bool // whether the job has a second task role
}

var (
	jobNames          = []string{"a", "b", "c", "Ä", "x10", "x9"}
	prerequisiteNames = []string{"one", "two", "three"}
)

func generate(r *rand.Rand) *generated {
	g := &generated{
		epochs: r.IntN(3), secret: fmt.Sprint("value ", r.IntN(3)),
		prerequisites: map[string]*generatedPrerequisite{}, jobs: map[string]*generatedJob{}, moved: map[string]string{},
	}
	for i, name := range prerequisiteNames {
		p := &generatedPrerequisite{command: r.IntN(3), environment: r.IntN(2)}
		if i > 0 && r.IntN(2) == 0 {
			p.requires = prerequisiteNames[r.IntN(i)]
		}
		g.prerequisites[name] = p
	}
	for _, name := range jobNames {
		if r.IntN(2) == 0 {
			g.jobs[name] = generateJob(r)
		}
	}
	return g
}

func generateJob(r *rand.Rand) *generatedJob {
	j := &generatedJob{
		instances: 1 + r.IntN(3), command: r.IntN(3), retries: r.IntN(2), description: r.IntN(2), keys: max(0, r.IntN(6)-3), epochsOf: r.IntN(2),
		secret: r.IntN(4) == 0, gang: r.IntN(2) == 0, again: r.IntN(4) == 0, runTime: r.IntN(3) == 0, second: r.IntN(4) == 0,
	}
	for _, name := range prerequisiteNames {
		if r.IntN(3) == 0 {
			j.uses = append(j.uses, name)
		}
	}
	return j
}

// changed returns a copy with zero to three random edits.
func (g *generated) changed(r *rand.Rand) *generated {
	next := &generated{epochs: g.epochs, secret: g.secret, prerequisites: maps.Clone(g.prerequisites), jobs: maps.Clone(g.jobs), moved: map[string]string{}}
	for range r.IntN(4) {
		switch r.IntN(8) {
		case 0:
			next.epochs = r.IntN(3)
		case 1:
			next.secret = fmt.Sprint("value ", r.IntN(3))
		case 2:
			p := *next.prerequisites["two"]
			p.command, p.environment = r.IntN(3), r.IntN(2)
			next.prerequisites["two"] = &p
		case 3:
			name := jobNames[r.IntN(len(jobNames))]
			next.jobs[name] = generateJob(r)
			delete(next.moved, "job."+name) // the old address refers to a job again
		case 4:
			delete(next.jobs, jobNames[r.IntN(len(jobNames))])
		case 5:
			next.move(r)
		default:
			next.edit(r)
		}
	}
	return next
}

// edit changes one value of a job.
func (g *generated) edit(r *rand.Rand) {
	name := jobNames[r.IntN(len(jobNames))]
	if g.jobs[name] == nil {
		return
	}
	j := *g.jobs[name]
	switch r.IntN(4) {
	case 0:
		j.instances = 1 + r.IntN(3)
	case 1:
		j.retries = r.IntN(2)
	case 2:
		j.description = r.IntN(2)
	default:
		j.command = r.IntN(3)
	}
	g.jobs[name] = &j
}

// move renames a job.
func (g *generated) move(r *rand.Rand) {
	from, to := jobNames[r.IntN(len(jobNames))], "moved"
	if g.jobs[from] == nil || g.jobs[to] != nil {
		return
	}
	g.jobs[to] = g.jobs[from]
	delete(g.jobs, from)
	g.moved["job."+from] = "job." + to
}

// files returns the contents of the files by name.
func (g *generated) files() map[string]string {
	var shared, jobs strings.Builder
	fmt.Fprintf(&shared, "openpai { workspace = \"ws\" }\nvariable \"epochs\" { default = %d }\nsecret \"token\" { env = \"TOKEN\" }\n", g.epochs)
	for _, from := range slices.Sorted(maps.Keys(g.moved)) {
		fmt.Fprintf(&shared, "moved {\n  from = %s\n  to   = %s\n}\n", from, g.moved[from])
	}
	for _, name := range prerequisiteNames {
		g.prerequisites[name].write(&shared, name)
	}
	for _, name := range slices.Sorted(maps.Keys(g.jobs)) {
		g.jobs[name].write(&jobs, name)
	}
	return map[string]string{"shared.pai.hcl": shared.String(), "jobs.pai.hcl": jobs.String(), "notes.txt": "not read"}
}

func (p *generatedPrerequisite) write(b *strings.Builder, name string) {
	fmt.Fprintf(b, "prerequisite \"script\" %q {\n", name)
	if p.requires != "" {
		fmt.Fprintf(b, "  require = [prerequisite.script.%s]\n", p.requires)
	}
	fmt.Fprintf(b, "  environment = { V = \"%d\", A = \"b\" }\n  callback \"taskStarts\" {\n    commands = [\"echo %d\"]\n  }\n}\n", p.environment, p.command)
}

func (j *generatedJob) write(b *strings.Builder, name string) {
	fmt.Fprintf(b, "job %q {\n", name)
	if j.keys > 0 {
		fmt.Fprintf(b, "  for_each = toset([for n in range(%d) : tostring(n)])\n  name = \"%s-${each.key}\"\n", j.keys, fmt.Sprintf("j%x", name))
	} else {
		fmt.Fprintf(b, "  name = \"j%x\"\n", name)
	}
	fmt.Fprintf(b, "  job_retry_count = %d\n  description = \"text %d\"\n  gang_allocation = %v\n", j.retries, j.description, j.gang)
	if j.again {
		b.WriteString("  rerun = \"on_change\"\n")
	}
	j.role(b, "worker", j.instances)
	if j.second {
		j.role(b, "ps", 1)
	}
	b.WriteString("}\n")
}

func (j *generatedJob) role(b *strings.Builder, name string, instances int) {
	fmt.Fprintf(b, "  task_role %q {\n    image = \"busybox\"\n    instances = %d\n", name, instances)
	if j.runTime {
		b.WriteString("    max_run_time = \"1h\"\n")
	}
	var uses []string
	for _, u := range j.uses {
		uses = append(uses, "prerequisite.script."+u)
	}
	fmt.Fprintf(b, "    prerequisites = [%s]\n    commands = [\"train %d\"%s]\n", strings.Join(uses, ", "), j.command, map[int]string{0: "", 1: ", \"epochs ${var.epochs}\""}[j.epochsOf])
	if j.secret {
		b.WriteString("    environment = { TOKEN = secret.token }\n")
	}
	b.WriteString("    resources {\n      gpu = 0\n      cpu = 1\n      memory_mb = 64\n    }\n  }\n")
}

// write writes the files in random order if order is not nil.
func (g *generated) write(t *testing.T, dir string, order *rand.Rand) {
	t.Helper()
	files := g.files()
	names := slices.Sorted(maps.Keys(files))
	if order != nil {
		order.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// String returns the content of the files.
func (g *generated) String() string {
	files := g.files()
	return files["shared.pai.hcl"] + files["jobs.pai.hcl"] + "secret: " + g.secret + "\n"
}
