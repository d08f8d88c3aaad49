package runtime

import (
	"encoding/json"
	"os"
)

// replace gives a file new content: a reader sees the old or the new, never a
// part. Unlike atomicfile it does not wait for the disk, which takes longer
// than starting a shell: these files are of no use after a crash.
func replace(name string, content []byte) error { return Replace(name, content, 0o644) }

// Replace gives a file new content and a mode.
func Replace(name string, content []byte, mode os.FileMode) error {
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, content, mode); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// encode is the JSON of a value of ours, with a newline.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("runtime: " + err.Error())
	}
	return append(text, '\n')
}
