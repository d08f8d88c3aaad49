// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// stopLimit is the maximum time that StopProvider waits for running actions.
// Before a prefetch action ends, it removes its job.
const stopLimit = time.Minute

// actionCalls tracks the running action calls.
type actionCalls struct {
	mu      sync.Mutex
	running map[*actionCall]bool
}

type actionCall struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when all events of the call have been sent
}

func (c *actionCalls) begin(ctx context.Context) (context.Context, *actionCall) {
	ctx, cancel := context.WithCancel(ctx)
	call := &actionCall{cancel: cancel, done: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil {
		c.running = map[*actionCall]bool{}
	}
	c.running[call] = true
	return ctx, call
}

func (c *actionCalls) end(call *actionCall) {
	c.mu.Lock()
	delete(c.running, call)
	c.mu.Unlock()
	call.cancel()
	close(call.done)
}

// stop cancels the running calls and waits until they end.
func (c *actionCalls) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	var calls []*actionCall
	c.mu.Lock()
	for call := range c.running {
		call.cancel()
		calls = append(calls, call)
	}
	c.mu.Unlock()
	for _, call := range calls {
		select {
		case <-call.done:
		case <-ctx.Done():
			return
		}
	}
}

// InvokeAction implements tfprotov6.ActionServer.
func (s *server) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	ctx, call := s.actions.begin(ctx)
	stream, err := s.frameworkServer.InvokeAction(ctx, req)
	if err != nil {
		s.actions.end(call)
		return nil, err
	}
	return &tfprotov6.InvokeActionServerStream{Events: func(push func(tfprotov6.InvokeActionEvent) bool) {
		defer s.actions.end(call)
		stream.Events(push)
	}}, nil
}

// StopProvider implements tfprotov6.ProviderServer. After StopProvider returns,
// terraform-plugin-go cancels all requests and sends no further action events.
// Terraform treats an action without a final event as successful, so all actions
// must end before StopProvider returns.
func (s *server) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	s.actions.stop(ctx)
	return s.frameworkServer.StopProvider(ctx, req)
}
