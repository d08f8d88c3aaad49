// Package fetch brings data to a task: files of this machine, files from http
// and https servers, and trees of git repositories, unpacked when asked for.
//
// What is at its place is whole and checked: everything is written under
// another name first and then renamed. A download that broke off is continued
// where it stopped, by the next try or by the next process. With a cache
// directory, which tasks of a node share, data is downloaded once: who asks
// for what another process is downloading waits for it.
//
// Archives are not trusted: an entry that leads out of the directory, a
// device, or contents out of all proportion are errors, and then nothing of
// the archive is left.
//
// Programs are not started here; git runs through a function of the caller.
package fetch
