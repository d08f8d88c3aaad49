package output

import (
	"io"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// JSON writes a value as indented JSON with a final newline.
func JSON(w io.Writer, v any) error {
	text, err := plainjson.MarshalIndent(v)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}
