// SPDX-License-Identifier: MPL-2.0

package document

import (
	"encoding/json"
	"time"
)

// Results is the output of commands that can report several changes.
type Results struct {
	Head
	Results []Result `json:"results" doc:"Completed steps, in order, including those before an error"`
	Foot
}

// Result is the result of one change.
type Result struct {
	Subject string `json:"subject" doc:"Address of a job or task, run reference, or file name"`
	Result  string `json:"result" doc:"adopted, unchanged, released, moved, removed, logs removed, written, printed, formatted, published, pushed or verified; would be removed, logs would be removed or not formatted if the command did not make the change"`
	Detail  string `json:"detail,omitempty" doc:"New location, task, file change, size of removed data, or printed content"`
}

// NewResults returns a document without results.
func NewResults() *Results { return &Results{Head: head(), Results: []Result{}, Foot: foot()} }

// Empty implements [Partial].
func (r *Results) Empty() bool { return len(r.Results) == 0 }

// LockChanges is the output of commands that write the lock file.
type LockChanges struct {
	Head
	Changes   []LockChange     `json:"changes" doc:"The items of the workspace"`
	Images    []LockedImage    `json:"images" doc:"Images whose digest was looked up"`
	Downloads []LockedDownload `json:"downloads" doc:"Downloads whose digest was computed"`
	Foot
}

// LockChange is the change to one item in the lock file.
type LockChange struct {
	Address    string `json:"address"`
	Action     string `json:"action" doc:"added, updated, removed, fetched or kept; fetched means that the locked content was fetched again"`
	Source     string `json:"source,omitempty"`
	Before     string `json:"before,omitempty" doc:"Previously locked version"`
	After      string `json:"after,omitempty" doc:"Version that is now locked"`
	HashBefore string `json:"hash_before,omitempty"`
	Hash       string `json:"hash,omitempty"`
}

// NewLockChanges returns an empty document for changes to the lock file.
func NewLockChanges() *LockChanges {
	return &LockChanges{Head: head(), Changes: []LockChange{}, Images: []LockedImage{}, Downloads: []LockedDownload{}, Foot: foot()}
}

// ClusterEvents is the output of the events command.
type ClusterEvents struct {
	Head
	Events []ClusterEvent `json:"events"`
	Foot
}

// ClusterEvent is an event that a cluster reports for a job or its Pods.
type ClusterEvent struct {
	Job     string    `json:"job"`
	Last    time.Time `json:"last" doc:"Time of the last occurrence"`
	Count   int       `json:"count" doc:"Number of occurrences"`
	Type    string    `json:"type" doc:"Normal or Warning"`
	Object  string    `json:"object"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
}

// NewClusterEvents returns the document for the events of a cluster.
func NewClusterEvents(all []ClusterEvent) *ClusterEvents {
	return &ClusterEvents{Head: head(), Events: append([]ClusterEvent{}, all...), Foot: foot()}
}

// Export is the output of the export command.
type Export struct {
	Head
	Objects  []json.RawMessage `json:"objects" doc:"Kubernetes objects, in the order in which apply sends them"`
	Protocol json.RawMessage   `json:"protocol,omitempty" doc:"The job in the OpenPAI protocol, instead of objects"`
	Foot
}

// NewExport returns the document for Kubernetes objects or for a protocol
// job.
func NewExport(objects []json.RawMessage, protocol json.RawMessage) *Export {
	return &Export{Head: head(), Objects: append([]json.RawMessage{}, objects...), Protocol: protocol, Foot: foot()}
}

// DiskUse is the output of the du command.
type DiskUse struct {
	Head
	Kept []KeptData `json:"kept"`
	Foot
}

// KeptData contains the number and size of the objects of one kind on one
// cluster.
type KeptData struct {
	Cluster string `json:"cluster"`
	Kind    string `json:"kind" doc:"run records, run logs, jobs with their logs, downloads, program copies, marketplace items or modules"`
	Count   int    `json:"count"`
	Bytes   int64  `json:"bytes"`
}

// NewDiskUse returns the document for the given data.
func NewDiskUse(kept []KeptData) *DiskUse {
	return &DiskUse{Head: head(), Kept: append([]KeptData{}, kept...), Foot: foot()}
}
