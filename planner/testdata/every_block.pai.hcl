# Holds every block of the field table at least once. TestEveryFieldIsUsed sets
# each field of each block to another value.

openpai {
  workspace = "fields"
}

variable "unused" {
  type = string
}

secret "token" {
  env     = "TOKEN"
  version = "1"
}

secret "existing" {
  kubernetes {
    name = "credentials"
    key  = "password"
  }
}

marketplace "directory" { source = "./items" }

marketplace "team" {
  kubernetes {
    cluster = "gpu"
  }
}

storage "host" { host_path = "/data" }

storage "claim" { claim = "existing" }

storage "nfs" {
  nfs {
    server = "nfs.example.org"
    path   = "/export"
  }
}

storage "file" {
  azure_file {
    share       = "share"
    secret_name = "account"
  }
}

storage "blob" {
  azure_blob {
    container   = "container"
    account     = "account"
    secret_name = "key"
  }
}

storage "csi" {
  csi {
    driver            = "csi.example.org"
    volume_handle     = "handle"
    volume_attributes = { a = "b" }
  }
}

cluster "other" {
  namespace = "jobs"
  runtime { image = "registry.example.org/runtime:1" }
  pod { run_as_user = 1000 } # which pod_security = "restricted" needs
}

cluster "gpu" {
  namespace   = "jobs"
  log_storage = "nfs"
  scheduler   = "hived"

  runtime {
    image       = "registry.example.org/runtime:1"
    fetch_cache = "/var/cache/fetch"
  }
  pod {}
  priority_class {}

  sku "K80" {
    gpu    = 2
    cpu    = 2
    memory = 2048
  }
  sku "V100" {
    gpu    = 1
    cpu    = 1
    memory = 1024
  }
  virtual_cluster "default" {
    quota = { K80 = 1000 }
  }
  virtual_cluster "second" {
    quota = { V100 = 1000 }
  }
}

prerequisite "dockerimage" "torch" {
  uri = "registry.example.org/torch:1"
  auth {
    username     = "ci"
    password     = secret.token
    registry_uri = "registry.example.org"
  }
}

prerequisite "dockerimage" "other" { uri = "debian:12" }

prerequisite "data" "mnist" {
  version            = "1"
  contributor        = "alice"
  description        = "digits"
  title              = "MNIST"
  summary            = "Digits."
  author             = "alice"
  uri                = ["https://example.org/mnist"]
  require            = [prerequisite.script.wget]
  parameters         = { key = "value" }
  template_variables = [{ name = "dir", default = "/data" }]
  require_storages   = [{ use = storage.host, mount_path = "/mnt/host" }]

  retry { attempts = 2 }

  fetch {
    url     = "https://example.org/mnist.tar"
    to      = "{{ dir }}"
    extract = true
  }

  callback "taskStarts" {
    commands = ["echo <% this.uri[0] %> <% this.version %> <% this.contributor %> <% this.description %> <% this.title %> <% this.summary %> <% this.author %>"]
    retry { attempts = 2 }
  }
}

prerequisite "script" "wget" {
  callback "taskStarts" { commands = ["true"] }
}

prerequisite "output" "model" { uri = "/models" }

prerequisite "data" "second_data" { uri = ["https://example.org/second"] }

prerequisite "script" "second_script" { uri = "https://example.org/script" }

prerequisite "output" "second_output" { uri = "/second" }

job "train" {
  cluster            = "gpu"
  default_deployment = "prod"
  parameters         = { lr = 1 }
  environment        = { A = "1" }
  storage            = [{ use = storage.claim, mount_path = "/mnt/claim" }]

  prerequisite "script" "own" {
    callback "taskStarts" { commands = ["true"] }
  }

  deployment "prod" {
    task_role "worker" {
      pre_commands  = ["echo before"]
      post_commands = ["echo after"]
    }
  }

  deployment "test" {
    task_role "worker" {
      pre_commands = ["echo test"]
    }
  }

  plugin "ssh" {
    parameters = { jobssh = true }
  }

  hived {
    job_priority_class = "prod"
    task_role "worker" {
      affinity_group_name = "group"
    }
  }

  notification {}

  pod {}

  task_role "worker" {
    image         = prerequisite.dockerimage.torch
    data          = prerequisite.data.mnist
    output        = prerequisite.output.model
    script        = prerequisite.script.wget
    prerequisites = [prerequisite.data.mnist, "own"]
    storage = [
      { use = storage.nfs, mount_path = "/mnt/nfs" },
      { use = storage.file, mount_path = "/mnt/file" },
      { use = storage.blob, mount_path = "/mnt/blob" },
      { use = storage.csi, mount_path = "/mnt/csi" },
    ]
    commands = ["echo <% $parameters.lr %> <% $data.uri[0] %> <% $output.name %> <% $script.name %> <% $secrets.existing %>"]

    resources {
      gpu       = 2
      cpu       = 2
      memory_mb = 2048
      ports     = { http = 1 }
    }
    completion {}
    pod {}
  }
}

job "single" {
  cluster         = "other"
  gang_allocation = false # task_retry_count needs it

  task_role "worker" {
    image    = "debian:12"
    commands = ["true"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 1024
    }
  }
}

protocol "legacy" { file = "jobs/legacy.yaml" }

moved {
  from = job.old
  to   = job.train
}

policy "gpus" {
  for_each  = task_roles
  condition = each.value.gpu <= 8
  level     = warn
  message   = "At most 8 GPUs."
  field     = "resources.gpu"
}
