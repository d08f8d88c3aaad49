test "a permitted host" {
  config = <<-EOT
    prerequisite "data" "mnist" {
      uri = ["https://data.example.com/mnist.gz"]
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        prerequisites = [prerequisite.data.mnist]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a directory of a storage is on no host" {
  config = <<-EOT
    prerequisite "data" "mnist" {
      uri = ["/mnt/data/mnist"]
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        prerequisites = [prerequisite.data.mnist]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "another host" {
  deny = ["data_hosts"]
  config = <<-EOT
    prerequisite "data" "mnist" {
      uri = ["https://evil.example/mnist.gz"]
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        prerequisites = [prerequisite.data.mnist]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a host that hides behind a user" {
  deny = ["data_hosts"]
  config = <<-EOT
    prerequisite "data" "mnist" {
      uri = ["https://data.example.com@evil.example/mnist.gz"]
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        prerequisites = [prerequisite.data.mnist]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a scheme in upper case" {
  deny = ["data_hosts"]
  config = <<-EOT
    prerequisite "data" "mnist" {
      uri = ["HTTPS://evil.example/mnist.gz"]
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        prerequisites = [prerequisite.data.mnist]

        resources {
          gpu       = 0
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a download by the runtime" {
  deny = ["data_hosts"]
  config = <<-EOT
    prerequisite "data" "mnist" {
      fetch {
        url = "https://evil.example/mnist.gz"
        to  = "/data/mnist.gz"
      }
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        prerequisites = [prerequisite.data.mnist]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}
