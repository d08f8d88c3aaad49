// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package pipe

import "os"

// order is unused, because without epoll(7) each pipe has a separate reader.
type order struct{ poll *os.File }

// NewOrdered returns a source for each sink, and the write ends of the pipes. On
// this system, the order of data in different pipes is unknown.
func NewOrdered(sinks ...Sink) (sources []*Source, writers []*os.File, err error) {
	for _, sink := range sinks {
		s, w, err := NewSource(sink)
		if err != nil {
			for i := range sources {
				_ = writers[i].Close()
				sources[i].Close()
			}
			return nil, nil, err
		}
		sources, writers = append(sources, s), append(writers, w)
	}
	return sources, writers, nil
}
