// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errDeclined reports that the user did not confirm.
var errDeclined = errors.New("not confirmed; nothing was changed")

// confirm asks the user to confirm a change. Canceling the context ends the
// prompt. If confirm cannot prompt, it returns an error that mentions the flag
// that skips the prompt.
func confirm(ctx context.Context, s *Streams, question, flag string) error {
	if s.json != nil {
		return fmt.Errorf("confirmation required, but --json does not prompt; nothing was changed. Review the plan and pass %s", flag)
	}
	if !s.interactive {
		return fmt.Errorf("confirmation required, but there is no terminal; nothing was changed. Review the plan and pass %s", flag)
	}
	fmt.Fprintf(s.asking, "\n%s Only \"yes\" is accepted: ", question)
	type line struct {
		text string
		err  error
	}
	answered := make(chan line, 1) // buffered, so that the reader goroutine can exit after the prompt is canceled
	go func() {
		text, err := bufio.NewReader(s.in).ReadString('\n')
		answered <- line{text, err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.asking)
		return ctx.Err()
	case answer := <-answered:
		if answer.err != nil && !errors.Is(answer.err, io.EOF) {
			return fmt.Errorf("read the answer: %w", answer.err)
		}
		if strings.TrimSpace(answer.text) != "yes" {
			return errDeclined
		}
		return nil
	}
}
