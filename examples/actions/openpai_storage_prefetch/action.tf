action "openpai_storage_prefetch" "mnist" {
  config {
    storage       = openpai_storage.nfs.definition
    prerequisites = [openpai_prerequisite.mnist.definition]
  }
}
