// SPDX-License-Identifier: MPL-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

var errUsage = errors.New("usage: prose check | prose draw [-n NUMBER] [-seed NUMBER]")

func main() {
	if err := run(os.Args[1:], ".", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

func run(args []string, root string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	number := flags.Int("n", 100, "number of sentences to draw")
	seed := flags.Uint64("seed", uint64(time.Now().UnixNano()), "seed for the random choice")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return errUsage
	}
	passages, err := read(os.DirFS(root))
	if err != nil {
		return err
	}
	switch args[0] {
	case "check":
		return check(passages, out)
	case "draw":
		return draw(passages, *number, *seed, out)
	}
	return errUsage
}
