// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package runtime

import "os"

func scriptFile(text string) (*os.File, error) { return scriptPipe(text) }
