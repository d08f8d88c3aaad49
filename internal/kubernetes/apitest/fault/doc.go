// Package fault puts a proxy in front of a real API server that spoils chosen
// requests in chosen ways, and counts all of them.
package fault
