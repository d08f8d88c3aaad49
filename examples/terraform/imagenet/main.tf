# ImageNet is on a shared storage. The data set requires the storage, so each job
# that uses the data set mounts the storage too.

terraform {
  required_providers {
    openpai = {
      source = "openpai/openpai"
    }
  }
}

variable "storage_directory" {
  type        = string
  description = "Directory of this machine that replaces the shared storage. On Kubernetes, set claim, nfs or another kind instead of host_path."
  default     = "storage"
}

resource "openpai_storage" "confignfs" {
  name      = "confignfs"
  host_path = var.storage_directory
}

resource "openpai_prerequisite" "imagenet" {
  type               = "data"
  name               = "imagenet"
  require_storages   = [{ use = openpai_storage.confignfs.definition, mount_path = "/mnt/confignfs", read_only = true }]
  template_variables = { dataPath = {} }
  callbacks = [{
    event    = "taskStarts"
    commands = ["mkdir -p {{ dataPath }}", "cp -r \"$PAI_STORAGE_CONFIGNFS\"/imagenet/. {{ dataPath }}", "export IMAGENET=$PWD/{{ dataPath }}"]
  }]
}

resource "openpai_job" "imagenet" {
  name     = "imagenet"
  wait_for = "completed"

  task_roles = {
    worker = {
      image         = "openpai/standard:python_3.6-pytorch_1.2.0-gpu"
      prerequisites = [{ use = openpai_prerequisite.imagenet.definition, with = { dataPath = "dataset/imagenet" } }]
      commands      = ["ls $IMAGENET/train"]
      resources     = { gpu = 0, cpu = 1, memory_mb = 512 }
    }
  }
}

output "state" {
  value = openpai_job.imagenet.state
}
