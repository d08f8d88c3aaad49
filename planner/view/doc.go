// Package view shows plans and diagnostics: as text for a terminal, as Markdown
// for a pull request, as JSON for programs. It decides nothing and knows no
// cluster.
//
// Text from declarations is shown with control characters escaped, so that a
// plan cannot change the terminal it is read on. A plan holds no secret value,
// so no view can show one; the source lines that [Diagnostics] prints can, and
// are masked by its caller.
package view
