// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

func TestAContainerLivesUntilItsLogCanBeFollowed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ran     time.Duration
		signals map[time.Duration]os.Signal // after the task
		stored  string
		want    time.Duration
	}{
		"a task of half a second":                {ran: time.Second / 2, want: 5 * time.Second / 2},
		"a longer task does not wait":            {ran: 4 * time.Second, want: 0},
		"logs that are stored":                   {stored: "true", want: 0},
		"a stop ends the wait":                   {signals: map[time.Duration]os.Signal{time.Second: syscall.SIGTERM}, want: time.Second},
		"another signal does not request a stop": {signals: map[time.Duration]os.Signal{time.Second: syscall.SIGUSR1}, want: 3 * time.Second},
		"the second of two signals is the stop":  {signals: map[time.Duration]os.Signal{1: syscall.SIGUSR1, 2: os.Interrupt}, want: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				started := time.Now()
				time.Sleep(tt.ran)
				signals := make(chan os.Signal)
				for after, s := range tt.signals {
					time.AfterFunc(after, func() {
						select {
						case signals <- s:
						default:
						}
					})
				}
				stay(started, func(name string) string {
					if name != contract.EnvLogsStored {
						t.Errorf("variable %s", name)
					}
					return tt.stored
				}, signals)
				if got := time.Since(started) - tt.ran; got != tt.want {
					t.Errorf("stayed %s, want %s", got, tt.want)
				}
			})
		})
	}
}

func TestAnInitContainerThatFailedStaysToo(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]time.Duration{0: 0, 240: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			started := time.Now()
			stayAfterInit(code, started, func(string) string { return "" }, nil)
			if got := time.Since(started); got != want {
				t.Errorf("with code %d: stayed %s, want %s", code, got, want)
			}
		})
	}
}
