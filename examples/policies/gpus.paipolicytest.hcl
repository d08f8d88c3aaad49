test "within the limit" {
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"

        resources {
          gpu       = 8
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "above the limit" {
  deny = ["gpus_per_virtual_cluster"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"

        resources {
          gpu       = 9
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a virtual cluster without a limit has none" {
  deny = ["gpus_per_virtual_cluster"]
  config = <<-EOT
    job "train" {
      virtual_cluster = "other"

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

test "no GPUs need no limit" {
  config = <<-EOT
    job "train" {
      virtual_cluster = "other"

      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"

        resources {
          gpu       = 0
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}
