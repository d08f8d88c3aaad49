package runtime

import (
	"encoding/json"
	"os"
)

// replace gives a file new content: a reader sees the old or the new, never a
// part. Unlike atomicfile it does not wait for the disk, which takes longer
// than starting a shell: these files are of no use after a crash.
func replace(name string, content []byte) error {
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, content, 0o644); err != nil {
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
