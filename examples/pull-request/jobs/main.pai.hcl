# The jobs of a team. A pull request changes them, and its merge applies the change.

openpai {
  workspace = "team"
}

cluster "gpu" {
  user      = "ci"
  namespace = "team" # namespace on the cluster in the kubeconfig of the pipeline

  runtime {
    image = "ghcr.io/openpai/openpai-runtime:0.1.0"
  }
}

job "train" {
  cluster = "gpu"

  task_role "worker" {
    image    = "debian:13"
    commands = ["echo training"]

    resources {
      gpu       = 1
      cpu       = 4
      memory_mb = 8192
    }
  }
}
