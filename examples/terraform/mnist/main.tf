# MNIST is fetched before the training starts, into a directory that the job
# chooses. The data is a separate prerequisite, so every job can use it.

terraform {
  required_providers {
    openpai = {
      source = "openpai/openpai"
    }
  }
}

variable "data_url" {
  type        = string
  description = "URL of the archive."
  default     = "https://example.org/mnist.tar.gz"
}

variable "data_path" {
  type        = string
  description = "Directory to unpack the archive into."
  default     = "dataset/mnist"
}

resource "openpai_prerequisite" "torch" {
  type = "dockerimage"
  name = "torch"
  uri  = ["openpai/standard:python_3.6-pytorch_1.2.0-gpu"]
}

resource "openpai_prerequisite" "directory" {
  type               = "script"
  name               = "directory"
  template_variables = { path = {} }
  callbacks          = [{ event = "taskStarts", commands = ["mkdir -p {{ path }}"] }]
}

resource "openpai_prerequisite" "mnist" {
  type               = "data"
  name               = "mnist"
  require            = [{ use = openpai_prerequisite.directory.definition, with = { path = "{{ dataPath }}" } }]
  template_variables = { dataPath = {} }
  fetch              = [{ url = var.data_url, to = "{{ dataPath }}", extract = true }]
  callbacks          = [{ event = "taskStarts", commands = ["export MNIST_DIR=$PWD/{{ dataPath }}"] }]
}

resource "openpai_job" "mnist" {
  name     = "mnist"
  wait_for = "completed"

  task_roles = {
    worker = {
      image         = openpai_prerequisite.torch.definition
      prerequisites = [{ use = openpai_prerequisite.mnist.definition, with = { dataPath = var.data_path } }]
      commands      = ["ls $MNIST_DIR", "test -s $MNIST_DIR/7.txt"]
      resources     = { gpu = 0, cpu = 1, memory_mb = 512 }
      completion    = { min_failed_instances = 1 }
    }
  }
}

output "state" {
  value = openpai_job.mnist.state
}

output "order" {
  value = openpai_job.mnist.prerequisite_order
}
