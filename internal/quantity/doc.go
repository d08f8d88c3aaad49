// Package quantity writes numbers with what they count: "1 job", "2 jobs",
// "1.5 kB".
package quantity
