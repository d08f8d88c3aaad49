test "a plain task" {
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

test "a user other than root" {
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        pod {
          run_as_user = 1000
        }

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "root" {
  deny = ["no_root"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        pod {
          run_as_user = 0
        }

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a ServiceAccount" {
  deny = ["privileged"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        pod {
          service_account = "admin"
        }

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "InfiniBand" {
  deny = ["privileged"]
  config = <<-EOT
    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        extra_container_options {
          infiniband = true
        }

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}
