package hclspec

// Free values (parameters, extras, plugin parameters, tolerations) are one of
//
//	nil, bool, [Number], string, []any, map[string]any
//
// in every front end. No other Go type may appear in them.

// Number is a number in the spelling the user wrote ("1.0" stays "1.0"), so
// that templating prints it unchanged. It marshals to JSON as a number where
// JSON knows the spelling, else as a string.
type Number string
