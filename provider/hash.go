package provider

// shortDigits is how many digits of a hash a plan shows.
const shortDigits = 12

// shortHash returns a hash such as h1:610c2bfe56a6… with its first digits.
func shortHash(hash string) string {
	if short := len("h1:") + shortDigits; len(hash) > short {
		return hash[:short]
	}
	return hash
}
