package view

// palette colors text, or leaves it alone.
type palette bool

func (p palette) paint(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p palette) bold(text string) string    { return p.paint("1", text) }
func (p palette) dim(text string) string     { return p.paint("2", text) }
func (p palette) added(text string) string   { return p.paint("32", text) }
func (p palette) removed(text string) string { return p.paint("31", text) }
func (p palette) changed(text string) string { return p.paint("33", text) }
func (p palette) warning(text string) string { return p.paint("1;33", text) }
func (p palette) failure(text string) string { return p.paint("1;31", text) }

// marked colors a text as the symbol + - ~ or -/+ says.
func (p palette) marked(symbol, text string) string {
	switch symbol {
	case "+":
		return p.added(text)
	case "-":
		return p.removed(text)
	case "~", "-/+":
		return p.changed(text)
	}
	return text
}
