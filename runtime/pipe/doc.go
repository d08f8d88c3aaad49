// Package pipe passes what programs write into pipes on to the logs, and knows
// when all of it has arrived. What the logs are is the matter of runtime/logs.
package pipe
