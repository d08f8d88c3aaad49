resource "openpai_prerequisite" "torch" {
  type = "dockerimage"
  name = "torch"
  uri  = ["openpai/standard:python_3.6-pytorch_1.2.0-gpu"]
}

resource "openpai_prerequisite" "mnist" {
  type               = "data"
  name               = "mnist"
  template_variables = { dataPath = {} }
  fetch = [{
    url = "https://example.org/mnist.tar.gz"
    to  = "{{ dataPath }}"
  }]
}

resource "openpai_job" "train" {
  name       = "train"
  parameters = { epochs = 10 }

  task_roles = {
    worker = {
      instances     = 2
      image         = openpai_prerequisite.torch.definition
      prerequisites = [{ use = openpai_prerequisite.mnist.definition, with = { dataPath = "/dataset/mnist" } }]
      commands      = ["python train.py --data /dataset/mnist --epochs <% $parameters.epochs %>"]
      resources     = { gpu = 1, cpu = 3, memory_mb = 29065, ports = { rendezvous = 1 } }
      completion    = { min_failed_instances = 1 }
    }
  }

  lifecycle {
    postcondition {
      condition     = self.state != "FAILED"
      error_message = "The job failed."
    }
  }
}
