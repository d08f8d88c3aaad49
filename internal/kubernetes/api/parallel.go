package api

import "sync"

// Parallel runs functions at the same time and returns the first error in their
// order.
func Parallel(work []func() error) error {
	errs := make([]error, len(work))
	var running sync.WaitGroup
	for i, f := range work {
		running.Go(func() { errs[i] = f() })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
