test "a version is pinned" {
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a digest is pinned" {
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "registry.example:5000/team/torch@sha256:0000000000000000000000000000000000000000000000000000000000000000"
        commands = ["true"]
        max_run_time = "1h"

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "latest is not pinned" {
  deny = ["pinned_images"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:latest"
        commands = ["true"]
        max_run_time = "1h"

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "no tag is not pinned" {
  deny = ["pinned_images"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "registry.example:5000/team/torch"
        commands = ["true"]
        max_run_time = "1h"

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}
