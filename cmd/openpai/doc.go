// SPDX-License-Identifier: MPL-2.0

// Command openpai declares, plans and runs OpenPAI jobs. Package cli implements the
// openpai CLI.
package main
