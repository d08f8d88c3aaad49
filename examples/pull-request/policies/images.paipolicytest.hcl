test "latest is denied" {
  deny   = ["pinned_images"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:latest"
        commands = ["true"]

        resources {
          gpu       = 0
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}
