package hclspec

// Comment is a remark that a person wrote beside the model. Remarks are not
// part of it: they are carried from one syntax to another.
type Comment struct {
	// Path is that of what the comment stands at; empty is the file itself.
	Path Path
	// Above holds the lines above it, Below those after the end of the file,
	// Beside what is in the same line. Each line begins with #.
	Above, Below []string
	Beside       string
}
