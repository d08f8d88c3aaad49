# An unchanged OpenPAI protocol YAML job, and the storage that it mounts.

storage "results" {
  host_path = "results"
}

protocol "elements" {
  file = "elements.yaml"
}
