package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"
)

// attemptNumber is an attempt as people count, from 1; 0 is none in
// particular. Programs count from 0, as FrameworkController does.
type attemptNumber int

var _ pflag.Value = (*attemptNumber)(nil)

// String implements pflag.Value.
func (n *attemptNumber) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Set implements pflag.Value.
func (n *attemptNumber) Set(text string) error {
	input, err := strconv.Atoi(text)
	if err != nil || input < 1 {
		return errors.New("attempts are whole numbers from 1")
	}
	*n = attemptNumber(input)
	return nil
}

// Type implements pflag.Value.
func (n *attemptNumber) Type() string { return "number" }

// id is the number as programs count, or -1 for none in particular.
func (n attemptNumber) id() int { return int(n) - 1 }
