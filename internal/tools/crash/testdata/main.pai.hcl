storage "here" {
  host_path = "."
}

# Tasks that do not wait for each other.
job "alone" {
  gang_allocation = false
  storage         = [{ use = storage.here }]
  task_role "worker" {
    instances = 3
    image     = "busybox"
    commands  = ["sh \"$PAI_STORAGE_HERE/task.sh\" alone 0.6"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
    completion {
      min_succeeded_instances = 3
    }
  }
}

# Tasks that start together.
job "gang" {
  storage = [{ use = storage.here }]
  task_role "chief" {
    image    = "busybox"
    commands = ["sh \"$PAI_STORAGE_HERE/task.sh\" gang 0.3"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
      ports     = { http = 1 }
    }
    completion {
      min_succeeded_instances = -1
    }
  }
  task_role "worker" {
    instances = 2
    image     = "busybox"
    commands  = ["sh \"$PAI_STORAGE_HERE/task.sh\" gang 0.5"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
    completion {
      min_succeeded_instances = -1
    }
  }
}

# A task that fails once without being killed.
job "stubborn" {
  job_retry_count = 1
  storage         = [{ use = storage.here }]
  task_role "worker" {
    image    = "busybox"
    commands = ["sh \"$PAI_STORAGE_HERE/task.sh\" stubborn 0.2 fails-first"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
