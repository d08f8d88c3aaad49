// Command openpai declares, plans and runs OpenPAI jobs. The command line is in
// package cli.
package main
