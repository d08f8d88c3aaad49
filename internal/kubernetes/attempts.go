// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// Labels and annotations that FrameworkController adds to a Pod. Source:
// microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1/constants.go.
const (
	labelFramework       = "FC_FRAMEWORK_NAME"
	labelTaskRole        = "FC_TASKROLE_NAME"
	labelTaskIndex       = "FC_TASK_INDEX"
	annotationJobAttempt = "FC_FRAMEWORK_ATTEMPT_ID"
	annotationAttempt    = "FC_TASK_ATTEMPT_ID"
)

// attemptKey identifies an attempt of a task. role is the role name in the
// Framework.
type attemptKey struct {
	role                       string
	index, jobAttempt, attempt int
}

// attempt is the state of a task attempt according to its Pod. FrameworkController
// forgets an attempt when the next attempt starts. FrameworkController can miss
// the running phase of a short-lived Pod.
type attempt struct {
	key      attemptKey
	pod, uid string
	node     string
	digest   string           // digest of the image, or "" if unknown
	accepted bool             // a kubelet has accepted the Pod
	started  time.Time        // start time of the app container; zero: not started
	exit     *exitspec.Record // nil while it runs
	gone     bool
	reported bool
}

// attempts contains the observed attempts of one Framework.
type attempts struct {
	mu      sync.Mutex
	byKey   map[attemptKey]*attempt
	changed chan struct{} // closed and replaced after each change
	waiting int           // number of followers whose container has not started
}

func newAttempts() *attempts {
	return &attempts{byKey: map[attemptKey]*attempt{}, changed: make(chan struct{})}
}

func (c *Cluster) attemptsOf(name string) *attempts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watched[name] == nil {
		c.watched[name] = newAttempts()
	}
	return c.watched[name]
}

// lingering is how long WatchAttempts continues to watch Pods after the job has
// ended. The change to the job status may arrive before the Pod change that caused
// it.
const lingering = 300 * time.Millisecond

// WatchAttempts implements cluster.AttemptWatcher by watching the Pods of the
// Framework.
func (c *Cluster) WatchAttempts(ctx context.Context, name string, began func(cluster.AttemptID)) error {
	client, err := c.connect()
	if err != nil {
		return err
	}
	r, err := c.knownRecord(ctx, name)
	if err != nil {
		return err
	}
	seen := c.attemptsOf(name)
	report := func(key attemptKey) {
		began(cluster.AttemptID{Role: r.declaredRole(key.role), Index: key.index, JobAttempt: key.jobAttempt, Attempt: key.attempt})
	}
	watching, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lingering, cancel) })()
	q := url.Values{"labelSelector": {labelFramework + "=" + name}}
	err = api.Watch(watching, client, api.Pods, q, api.Watcher[*pod]{
		Listed:  func(all []*pod) { seen.replace(all, report) },
		Changed: func(p *pod, deleted bool) { seen.see(p, deleted, report) },
	})
	if saveErr := c.saveAttempts(context.WithoutCancel(ctx), name, seen); err == nil {
		err = saveErr
	}
	return err
}

// replace updates the attempts from a complete list of Pods. Pods that are
// not in the list no longer exist.
func (s *attempts) replace(all []*pod, report func(attemptKey)) {
	there := map[string]bool{}
	for _, p := range all {
		there[p.Metadata.UID] = true
		s.see(p, false, report)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.byKey {
		a.gone = a.gone || !there[a.uid]
	}
	s.notify()
}

// see records the state of a Pod. It reports an attempt as soon as a caller
// can follow the log of the attempt.
func (s *attempts) see(p *pod, deleted bool, report func(attemptKey)) {
	key, ok := p.attempt()
	if !ok {
		return
	}
	s.mu.Lock()
	a := s.byKey[key]
	if a == nil || a.uid != p.Metadata.UID {
		a = &attempt{key: key, pod: p.Metadata.Name, uid: p.Metadata.UID}
		s.byKey[key] = a
	}
	a.update(p)
	a.gone = deleted
	first := a.accepted && !a.reported
	a.reported = a.reported || first
	s.notify()
	s.mu.Unlock()
	if first {
		report(key)
	}
}

// find returns the attempt that a log request selects, or nil.
func (s *attempts) find(l *logs) *attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, a := range s.byKey {
		if l.isTask(key.role, key.index) && key.jobAttempt == l.request.JobAttempt && key.attempt == l.request.Attempt {
			return a
		}
	}
	return nil
}

// exit returns the exit record of an attempt, or nil if the end of the
// attempt is unknown. The second result reports whether the Pod no longer
// exists.
func (s *attempts) exit(a *attempt) (*exitspec.Record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return a.exit, a.gone || s.byKey[a.key] != a
}

func (s *attempts) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (a *attempt) update(p *pod) {
	if p.Spec.NodeName != "" {
		a.node = p.Spec.NodeName
	}
	a.digest = cmp.Or(p.digest(), a.digest)
	a.accepted = a.accepted || len(p.Status.InitContainers)+len(p.Status.Containers) > 0
	for _, c := range p.Status.Containers {
		switch {
		case c.Name != appContainer:
		case c.State.Running != nil:
			a.started = c.State.Running.StartedAt
		case c.State.Terminated != nil:
			a.started = c.State.Terminated.StartedAt
		}
	}
	if exit := p.exit(); exit != nil {
		a.exit = exit
	}
}

func (p *pod) attempt() (attemptKey, bool) {
	index, err := strconv.Atoi(p.Metadata.Labels[labelTaskIndex])
	if err != nil {
		return attemptKey{}, false
	}
	jobAttempt, err := strconv.Atoi(p.Metadata.Annotations[annotationJobAttempt])
	if err != nil {
		return attemptKey{}, false
	}
	number, err := strconv.Atoi(p.Metadata.Annotations[annotationAttempt])
	return attemptKey{p.Metadata.Labels[labelTaskRole], index, jobAttempt, number}, err == nil
}

// exit returns the exit record of a Pod, or nil if the containers are still
// running or Kubernetes will restart them.
func (p *pod) exit() *exitspec.Record {
	done := &framework.PodCompletionStatus{Reason: p.Status.Reason, Message: p.Status.Message}
	for _, c := range append(p.Status.InitContainers, p.Status.Containers...) {
		if t := c.State.Terminated; t != nil && (t.ExitCode != 0 || c.Name == appContainer) {
			done.Containers = append(done.Containers, framework.ContainerCompletionStatus{Name: c.Name, Reason: t.Reason, Message: t.Message, Signal: t.Signal, Code: t.ExitCode})
		}
	}
	decided := decidingContainer(done)
	if decided == nil {
		return nil
	}
	status := framework.FromExit(int(decided.Code), "", framework.Codes(exitspec.Entries()))
	status.Pod, status.Diagnostics = done, ""
	r := exitRecord(status)
	for _, c := range append(p.Status.InitContainers, p.Status.Containers...) {
		if t := c.State.Terminated; t != nil && c.Name == decided.Name && r.Started.IsZero() {
			r.Started, r.Finished = t.StartedAt, t.FinishedAt
		}
	}
	return r
}
