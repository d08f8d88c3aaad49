// Package store is the directory .openpai of a workspace, in which the local
// cluster keeps its state: where each file is ([Layout], [Object], [TaskDir]),
// its format, and the locks that let commands and supervisors share it. Every
// change replaces one file as a whole.
//
// The store starts no process and decides nothing about jobs; internal/local
// does. Names and formats stay as they are: supervisors and tasks of another
// version of the program use the same directory.
package store
