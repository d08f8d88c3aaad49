// Package message separates what a sentence says from the words of its reader.
//
// A [Text] is a sentence that contains facts. A [Fact] is a value that each
// front end phrases for its reader: a command for a user of the command line, an
// attribute or another program's command for a user of the provider. Packages
// below the front ends name no command and no flag; they put a fact there.
//
// The package prints nothing and knows no front end. The phrases of the command
// line are in planner/view, those of the provider in provider.
package message
