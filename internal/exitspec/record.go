package exitspec

import "time"

// Record is what a task leaves when it ends. It is written atomically: absent
// or complete.
type Record struct {
	Framework string `json:"framework"`
	Role      string `json:"role"`
	Index     int    `json:"index"`
	Attempt   int    `json:"attempt"`

	// Code is what the container exits with: the code of the specification.
	Code int `json:"code"`
	// UserCode is the exit code of the script that decided: the user's
	// commands, or the callback that failed. 128+n for signal n.
	UserCode int    `json:"user_code"`
	Signal   string `json:"signal,omitempty"`

	Phrase   string `json:"phrase"`             // "Succeeded", "PAIRuntimeUnknownFailed"
	Behavior string `json:"behavior,omitempty"` // TRANSIENT, PERMANENT, UNKNOWN
	// Reason says in one sentence what happened: "the user's commands exited
	// with code 7".
	Reason string `json:"reason"`
	// Stage is where it happened: "init", "prerequisites", "commands",
	// "end callbacks".
	Stage  string `json:"stage"`
	Step   string `json:"step,omitempty"` // address of the prerequisite, if one decided
	Advice string `json:"advice,omitempty"`
	// Stopped says that the task was asked to stop from outside.
	Stopped bool `json:"stopped,omitempty"`

	LastLines []string  `json:"last_lines,omitempty"` // redacted
	Started   time.Time `json:"started"`
	Finished  time.Time `json:"finished"`
}
