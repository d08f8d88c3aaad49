// Package workspace is the only loader: it turns a directory of HCL files, or
// one file, into one model with every value filled in and every diagnostic
// collected.
//
// It finds the files, refuses those that are too large, collects the values
// of variables, calls the front ends (hclspec/syntax for HCL, hclspec/protocol
// for YAML) and the checks of the whole model. It decides nothing about jobs:
// planner/resolve does. What it needs of its surroundings (environment, user,
// version of the program) comes in through [Options]; only files are read from
// the disk. [Load] writes nothing; [Loaded.Init] and [Loaded.LockDigests] write
// the lock file, and the contents of items beside it.
package workspace
