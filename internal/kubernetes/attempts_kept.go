// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Limits for the attempts in a record. A record stores attempts because the engine
// forgets them. The limits are necessary because a ConfigMap may not exceed 1 MB.
const (
	maxKeptAttempts = 20
	maxKeptLines    = 10
	maxKeptBytes    = 64 << 10
)

// after reports whether the attempt k of a task started later than the
// attempt other.
func after(k, other *cluster.EndedAttempt) bool {
	return cmp.Or(cmp.Compare(k.JobAttempt, other.JobAttempt), cmp.Compare(k.Attempt, other.Attempt)) > 0
}

func keyOf(k cluster.EndedAttempt) attemptKey {
	return attemptKey{k.Role, k.Index, k.JobAttempt, k.Attempt}
}

// saveTimeout is the maximum duration of saveAttempts at the end of a
// command.
const saveTimeout = 10 * time.Second

// saveAttempts adds ended attempts to the record. It skips attempts whose end
// and message are already in the engine's status.
func (c *Cluster) saveAttempts(ctx context.Context, name string, seen *attempts) error {
	ended := seen.ended()
	if len(ended) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	fw, err := c.framework(ctx, name)
	if err != nil && !api.IsNotFound(err) {
		return err
	}
	if err == nil {
		ended = slices.DeleteFunc(ended, func(k cluster.EndedAttempt) bool { return inStatus(fw, keyOf(k)) })
	}
	for {
		err := c.addToRecord(ctx, name, ended)
		if !apierrors.IsConflict(err) || ctx.Err() != nil {
			return err
		}
	}
}

func (c *Cluster) addToRecord(ctx context.Context, name string, ended []cluster.EndedAttempt) error {
	r, err := c.loadRecord(ctx, name)
	if err != nil || r == nil {
		return err
	}
	if err := c.checkOwner("ConfigMap "+r.meta.Name, r.meta); err != nil {
		return err
	}
	attempts := mergeAttempts(r.Attempts, ended)
	if len(ended) == 0 || slices.EqualFunc(attempts, r.Attempts, func(a, b cluster.EndedAttempt) bool { return keyOf(a) == keyOf(b) }) {
		return nil
	}
	r.Attempts = attempts
	c.forget(name)
	return c.saveRecord(ctx, r)
}

// inStatus reports whether the engine's status contains an attempt's end and the
// runtime's message. The message is missing if the engine deleted the Pod to stop
// the attempt.
func inStatus(fw *framework.Framework, key attemptKey) bool {
	statuses, err := roleStatuses(fw)
	if err != nil || fw.Status == nil || int(fw.Status.AttemptStatus.ID) != key.jobAttempt {
		return false
	}
	for _, t := range statuses[key.role].TaskStatuses {
		if int(t.Index) == key.index && int(t.AttemptStatus.ID) == key.attempt {
			done := t.AttemptStatus.CompletionStatus
			return done != nil && decidingContainer(done.Pod) != nil
		}
	}
	return false
}

// ended returns the attempts that have ended according to the watch.
func (s *attempts) ended() []cluster.EndedAttempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []cluster.EndedAttempt
	for key, a := range s.byKey {
		if a.exit != nil {
			all = append(all, cluster.EndedAttempt{Role: key.role, Index: key.index, JobAttempt: key.jobAttempt, Attempt: key.attempt, Host: a.node, Exit: a.exit})
		}
	}
	return all
}

// mergeAttempts merges two lists and sorts the attempts by end time, oldest
// first. It drops the oldest attempts if a record cannot contain all attempts.
func mergeAttempts(before, now []cluster.EndedAttempt) []cluster.EndedAttempt {
	byKey := map[attemptKey]cluster.EndedAttempt{}
	for _, k := range append(slices.Clone(before), now...) {
		exit := *k.Exit
		exit.LastLines = exit.LastLines[max(0, len(exit.LastLines)-maxKeptLines):]
		k.Exit = &exit
		byKey[keyOf(k)] = k
	}
	all := slices.SortedFunc(maps.Values(byKey), func(a, b cluster.EndedAttempt) int {
		return cmp.Or(a.Exit.Finished.Compare(b.Exit.Finished), cmp.Compare(a.Role, b.Role), cmp.Compare(a.Index, b.Index), cmp.Compare(a.JobAttempt, b.JobAttempt), cmp.Compare(a.Attempt, b.Attempt))
	})
	size, first := 0, len(all)
	for first > 0 && len(all)-first < maxKeptAttempts {
		text, err := json.Marshal(all[first-1])
		if err != nil {
			panic("kubernetes: " + err.Error()) // our own types always marshal
		}
		if size += len(text) + 1; size > maxKeptBytes {
			break
		}
		first--
	}
	return all[first:]
}

// addAttempts adds attempts that the engine has forgotten. For attempts that
// the engine stopped, it adds the last log lines.
func (c *Cluster) addAttempts(st *cluster.Status, r *stored) {
	var known []cluster.EndedAttempt
	if r != nil {
		known = slices.Clone(r.Attempts)
	}
	c.mu.Lock()
	seen := c.watched[st.Framework]
	c.mu.Unlock()
	if seen != nil {
		known = append(known, seen.ended()...)
	}
	byKey := map[attemptKey]cluster.EndedAttempt{}
	for _, k := range known {
		byKey[attemptKey{r.declaredRole(k.Role), k.Index, k.JobAttempt, k.Attempt}] = k
	}
	for i := range st.TaskRoles {
		role := &st.TaskRoles[i]
		for j := range role.Tasks {
			task := &role.Tasks[j]
			for key, k := range byKey {
				if key.role == role.Name && key.index == task.Index {
					task.Attempts = addAttempt(task.Attempts, k)
				}
			}
		}
	}
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			for _, a := range task.Attempts {
				if st.Launched == nil || a.Started != nil && a.Started.Before(*st.Launched) {
					st.Launched = a.Started
				}
			}
		}
	}
}

// addAttempt inserts an attempt at its position, or adds missing data to an
// attempt that is already in the list.
func addAttempt(all []cluster.TaskAttempt, k cluster.EndedAttempt) []cluster.TaskAttempt {
	at, found := slices.BinarySearchFunc(all, k, func(a cluster.TaskAttempt, k cluster.EndedAttempt) int {
		return cmp.Or(cmp.Compare(a.JobAttempt, k.JobAttempt), cmp.Compare(a.Attempt, k.Attempt))
	})
	if !found {
		return slices.Insert(all, at, describeAttempt(k))
	}
	a := &all[at]
	if a.Exit != nil && len(a.Exit.LastLines) == 0 {
		exit := *a.Exit
		exit.LastLines, exit.Started = k.Exit.LastLines, k.Exit.Started
		a.Exit = &exit
	}
	if a.Exit != nil && a.Started == nil && !k.Exit.Started.IsZero() {
		a.Started = &k.Exit.Started
	}
	return all
}

func outcomeOf(k cluster.EndedAttempt) planner.JobState {
	switch {
	case k.Exit.Stopped:
		return planner.StateStopped
	case k.Exit.Code == 0:
		return planner.StateSucceeded
	}
	return planner.StateFailed
}

func describeAttempt(k cluster.EndedAttempt) cluster.TaskAttempt {
	a := cluster.TaskAttempt{JobAttempt: k.JobAttempt, Attempt: k.Attempt, Host: k.Host, Exit: k.Exit, State: string(outcomeOf(k))}
	if !k.Exit.Started.IsZero() {
		a.Started = &k.Exit.Started
	}
	if !k.Exit.Finished.IsZero() {
		a.Finished = &k.Exit.Finished
	}
	return a
}
