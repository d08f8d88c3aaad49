package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errDeclined says that a person was asked and did not agree.
var errDeclined = errors.New("not confirmed; nothing was changed")

// confirm asks before something is changed. Where nobody can be asked, the
// error names the flag that agrees beforehand.
func confirm(s *Streams, question, flag string) error {
	if !s.interactive {
		return fmt.Errorf("this needs a confirmation and there is no terminal to ask on; nothing was changed. Look at the plan and pass %s", flag)
	}
	fmt.Fprintf(s.asking, "\n%s Only \"yes\" is accepted: ", question)
	answer, err := bufio.NewReader(s.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if strings.TrimSpace(answer) != "yes" {
		return errDeclined
	}
	return nil
}
