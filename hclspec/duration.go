package hclspec

import "time"

// Duration is a time span that is written with the units d, h, m and s, such
// as "1d12h". The zero value means "not given".
type Duration time.Duration
