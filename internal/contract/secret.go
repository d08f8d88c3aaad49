package contract

// SecretJobKey is the name, among the secrets of a job, of the private ssh key
// that is made for it at apply. No secret of a user begins with a dot.
const SecretJobKey = ".openpai-job-key"
