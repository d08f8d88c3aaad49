test "a limit" {
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "72h"

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "no GPU needs no limit" {
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
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

test "no limit" {
  deny = ["run_time"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a limit that is too long" {
  deny = ["run_time"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "73h"

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}
