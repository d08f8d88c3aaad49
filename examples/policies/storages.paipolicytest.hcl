test "a claim" {
  config = <<-EOT
    storage "data" {
      claim = "team"
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        storage = [{ use = storage.data, mount_path = "/mnt" }]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a permitted server" {
  config = <<-EOT
    storage "data" {
      nfs {
        server = "files.example.com"
        path   = "/export"
      }
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        storage = [{ use = storage.data, mount_path = "/mnt" }]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "another server" {
  deny = ["storages"]
  config = <<-EOT
    storage "data" {
      nfs {
        server = "evil.example"
        path   = "/export"
      }
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        storage = [{ use = storage.data, mount_path = "/mnt" }]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}

test "a directory of the machine" {
  deny = ["storages"]
  config = <<-EOT
    storage "data" {
      host_path = "/"
    }

    job "train" {
      task_role "worker" {
        image    = "debian:13"
        commands = ["true"]
        max_run_time = "1h"
        storage = [{ use = storage.data, mount_path = "/mnt" }]

        resources {
          gpu       = 1
          cpu       = 1
          memory_mb = 64
        }
      }
    }
  EOT
}
