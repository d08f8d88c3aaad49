//go:build unix && !linux

package runtime

import "os"

func scriptFile(text string) (*os.File, error) { return scriptPipe(text) }
