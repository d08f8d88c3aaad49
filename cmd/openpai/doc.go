// Command openpai declares, plans and runs OpenPAI jobs. Package cli implements the
// command line.
package main
