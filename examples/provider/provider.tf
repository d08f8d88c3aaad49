terraform {
  required_providers {
    openpai = {
      source = "openpai/openpai"
    }
  }
}

# Jobs run as processes of this machine.
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
