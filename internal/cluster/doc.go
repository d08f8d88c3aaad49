// Package cluster says what a place where jobs run must be able to do, and
// carries out plans on it. internal/local and internal/kubernetes implement
// it. It decides nothing about jobs: planner does.
package cluster
