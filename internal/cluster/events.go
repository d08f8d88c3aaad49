package cluster

import (
	"context"
	"time"
)

// EventSource is a cluster that keeps events of its objects for a while.
type EventSource interface {
	// Events returns what is kept of a job and its tasks, oldest first.
	Events(ctx context.Context, framework string) ([]Event, error)
}

// Event is something that happened to a job or one of its tasks.
type Event struct {
	Last    time.Time `json:"last"`
	Count   int       `json:"count"`
	Type    string    `json:"type"` // Normal or Warning
	Object  string    `json:"object"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
}
