terraform {
  required_providers {
    openpai = {
      source = "openpai/openpai"
    }
  }
}

# Jobs run as processes on this machine.
provider "openpai" {}

# Jobs run on Kubernetes, with FrameworkController.
provider "openpai" {
  alias = "gpu"

  kubernetes {
    context       = "gpu"
    namespace     = "default"
    user          = "alice"
    workspace     = "mnist-team"
    runtime_image = "registry.example.org/openpai-runtime:0.1.0"
  }
}

# The cluster comes from other resources, perhaps of the same run.
variable "cluster" {
  type = object({ endpoint = string, ca = string, name = string })
}

provider "openpai" {
  alias = "managed"

  kubernetes {
    host                   = var.cluster.endpoint
    cluster_ca_certificate = base64decode(var.cluster.ca)
    namespace              = "default"
    user                   = "alice"
    workspace              = "mnist-team"
    runtime_image          = "registry.example.org/openpai-runtime:0.1.0"

    exec {
      api_version = "client.authentication.k8s.io/v1"
      command     = "cloud-login"
      args        = ["token", "--cluster", var.cluster.name]
    }
  }
}
