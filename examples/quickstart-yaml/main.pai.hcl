# An OpenPAI protocol YAML job as it is, and the storage that it asks for.

storage "results" {
  host_path = "results"
}

protocol "elements" {
  file = "elements.yaml"
}
