// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAWatchMissesNothing checks that Watch resumes a broken watch after the last
// received version. It also checks that Watch lists the objects again if this
// version has expired.
func TestAWatchMissesNothing(t *testing.T) {
	t.Parallel()
	object := func(name string, version int) string {
		return fmt.Sprintf(`{"metadata": {"name": %q, "resourceVersion": "%d"}}`, name, version)
	}
	lists, watches := 0, 0
	c := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("watch") == "" {
			lists++
			fmt.Fprintf(w, `{"metadata": {"resourceVersion": "%d"}, "items": [%s]}`, 10*lists, object(fmt.Sprint("listed", lists), 10*lists))
			return
		}
		watches++
		switch after := q.Get("resourceVersion"); after {
		case "10":
			fmt.Fprintf(w, `{"type": "ADDED", "object": %s}{"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "12"}}}{"type": "MODI`, object("added", 11))
		case "12":
			fmt.Fprint(w, `{"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired"}}`)
		case "20":
			fmt.Fprintf(w, `{"type": "DELETED", "object": %s}`, object("deleted", 21))
		default:
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"kind": "Status", "code": 403, "reason": "Forbidden"}`)
		}
	})
	c.Timeouts = Timeouts{Request: time.Minute, Attempts: 2, First: time.Millisecond, Last: time.Millisecond}
	var got []string
	err := Watch(t.Context(), c, Pods, nil, Watcher[Header]{
		Listed:  func(all []Header) { got = append(got, all[0].Metadata.Name) },
		Changed: func(h Header, deleted bool) { got = append(got, fmt.Sprint(h.Metadata.Name, " ", deleted)) },
	})
	if err == nil || !strings.Contains(err.Error(), "watch objects of kind Pod") {
		t.Errorf("a refused watch: %v", err)
	}
	if diff := cmp.Diff([]string{"listed1", "added false", "listed2", "deleted true"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if watches != 4 {
		t.Errorf("%d watches, want 4", watches)
	}
}

func TestTheEndOfTheContextIsNoErrorOfAWatch(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") != "" {
			cancel()
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `{"metadata": {"resourceVersion": "1"}, "items": []}`)
	})
	if err := Watch(ctx, c, Pods, nil, Watcher[Header]{Listed: func([]Header) {}}); err != nil {
		t.Error(err)
	}
}
