// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// leaseServer is an API server with at most one Lease.
type leaseServer struct {
	mu      sync.Mutex
	now     time.Time
	version int // version of the other holder's Lease; 0: deleted
	// onGet and onDelete simulate actions of the other holder.
	onGet, onDelete func()
	removed         []time.Time
	made            int
	polls           int
	// giveUp cancels the wait after maxPolls polls.
	giveUp func()
}

// maxPolls is larger than the number of polls in any wait for a Lease.
const maxPolls = 500

// clock advances by a fixed step with every call.
func (s *leaseServer) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(time.Millisecond)
	return s.now
}

func (s *leaseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Method {
	case http.MethodPost:
		if s.version > 0 {
			refuse(w, http.StatusConflict, "AlreadyExists")
			return
		}
		s.made++
		fmt.Fprint(w, `{"metadata":{"name":"openpai-vision","uid":"ours"}}`)
	case http.MethodGet:
		if s.polls++; s.polls > maxPolls {
			s.giveUp()
		}
		s.onGet()
		_ = json.NewEncoder(w).Encode(lease{
			Metadata: framework.ObjectMeta{Name: "openpai-vision", UID: "theirs", ResourceVersion: fmt.Sprint(s.version)}, Spec: leaseSpec{HolderIdentity: "other host, process 7"},
		})
	case http.MethodDelete:
		s.remove(w, r)
	}
}

func (s *leaseServer) remove(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Preconditions struct{ UID, ResourceVersion string }
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	if asked.Preconditions.UID == "ours" {
		return
	}
	s.onDelete()
	if v := asked.Preconditions.ResourceVersion; v != "" && v != fmt.Sprint(s.version) {
		refuse(w, http.StatusConflict, "Conflict")
		return
	}
	s.removed, s.version = append(s.removed, s.now), 0
}

func refuse(w http.ResponseWriter, code int, reason string) {
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","code":%d,"reason":%q}`, code, reason)
}

func TestOnlyAFreeOrExpiredLeaseIsAcquired(t *testing.T) {
	t.Parallel()
	const lasts = 100 * time.Millisecond // on the simulated clock
	tests := map[string]struct {
		version         int
		onGet, onDelete func(*leaseServer)
		held            bool // by the other holder
	}{
		"the Lease does not exist":                       {},
		"the holder renews it":                           {version: 1, onGet: func(s *leaseServer) { s.version++ }, held: true},
		"the holder was killed":                          {version: 1},
		"the holder renews the Lease at the last moment": {version: 1, onDelete: func(s *leaseServer) { s.version++ }, held: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, giveUp := context.WithCancel(t.Context())
			s := &leaseServer{version: tt.version, giveUp: giveUp}
			s.onGet, s.onDelete = doing(s, tt.onGet), doing(s, tt.onDelete)
			c := answeredBy(t, Options{Workspace: "vision", Holder: "we", Now: s.clock, LeaseDuration: lasts}, s.ServeHTTP)
			c.client.Timeouts = api.Timeouts{Request: time.Minute, Attempts: 2, First: time.Millisecond, Last: time.Millisecond}
			unlock, err := c.Lock(ctx)
			var locked *LockedError
			if errors.As(err, &locked) != tt.held || (err == nil) == tt.held {
				t.Fatalf("error %v, want an error about another holder: %t", err, tt.held)
			}
			if tt.held {
				if locked.Holder != "other host, process 7" || len(s.removed)+s.made > 0 {
					t.Errorf("error %v; the Lease was removed at %v and created %d times", err, s.removed, s.made)
				}
				return
			}
			unlock()
			if tt.version > 0 && (len(s.removed) != 1 || s.removed[0].Sub(time.Time{}) < lasts) {
				t.Errorf("the Lease was taken over too early, at %v", s.removed)
			}
		})
	}
}

func doing(s *leaseServer, f func(*leaseServer)) func() {
	if f == nil {
		return func() {}
	}
	return func() { f(s) }
}

// TestAnInterruptEndsTheWaitForTheLease checks that the wait ends immediately, and
// that the error contains the cause of the interruption.
func TestAnInterruptEndsTheWaitForTheLease(t *testing.T) {
	t.Parallel()
	s := &leaseServer{version: 1, onDelete: func() { t.Error("the Lease was taken over") }}
	ctx, interrupt := context.WithCancelCause(t.Context())
	s.onGet = func() { interrupt(errors.New("interrupted")) }
	c := answeredBy(t, Options{Workspace: "vision", Holder: "we", Now: s.clock, LeaseDuration: time.Hour}, s.ServeHTTP)
	_, err := c.Lock(ctx)
	if err == nil || !strings.Contains(err.Error(), "interrupted") || strings.Contains(err.Error(), "network") {
		t.Errorf("error %v", err)
	}
}
