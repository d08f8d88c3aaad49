package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupts counts Ctrl-C and SIGTERM: the first asks to end what was begun
// in good order, the second to leave at once.
type interrupts struct {
	// first ends with the first signal, second with the second.
	first, second context.Context
}

// watchInterrupts takes over the signals until stop is called.
func watchInterrupts(parent context.Context) (i *interrupts, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	first, endFirst := context.WithCancel(parent)
	second, endSecond := context.WithCancel(parent)
	go func() {
		for _, end := range []context.CancelFunc{endFirst, endSecond} {
			select {
			case <-signals:
				end()
			case <-second.Done():
				return
			}
		}
	}()
	return &interrupts{first: first, second: second}, func() {
		signal.Stop(signals)
		endFirst()
		endSecond()
	}
}
