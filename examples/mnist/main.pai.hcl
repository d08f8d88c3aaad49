# The first example of the Marketplace specification, with fixes, in HCL. The items
# are in ../marketplace; a comment next to each change gives the reason.
#
# The data comes from a server that you start:
#
#     python3 -m http.server --bind 127.0.0.1 --directory examples/mnist/served 8901 &
#     openpai init examples/mnist
#     openpai run examples/mnist

marketplace "examples" {
  source = "../marketplace"
}

variable "server" {
  type        = string
  default     = "http://127.0.0.1:8901"
  description = "URL of the directory served/."
}

variable "data_path" {
  type = string
  # The specification uses /dataset/mnist, which exists in its image. On the local
  # cluster, tasks are processes of this machine, so this path is below their
  # working directory.
  default = "dataset/mnist"
}

locals {
  with = { dataPath = var.data_path, url = "${var.server}/mnist.tar.gz" }

  # In the specification, the command is "sleep 0s". This command uses the data: it
  # prints a picture, and the number of dots of each digit.
  commands = [
    "cat \"$MNIST_DIR/7.txt\"",
    "for i in 0 1 2 3 4 5 6 7 8 9; do echo \"$i: $(tr -cd '#' < \"$MNIST_DIR/$i.txt\" | wc -c | tr -d ' ') dots\"; done",
  ]
}

prerequisite "dockerimage" "docker_image_0" {
  uri = "openpai/standard:python_3.6-pytorch_1.2.0-gpu" # not used by the local cluster
}

# As in the specification: the image, then wget, then the data.
job "mnist" {
  task_role "taskrole" {
    image         = prerequisite.dockerimage.docker_image_0
    prerequisites = [{ use = "marketplace://name/mnist", with = local.with }]
    commands      = local.commands

    resources {
      gpu       = 0 # 1 in the specification; this example needs no GPU
      cpu       = 1
      memory_mb = 128
    }
    completion {
      min_failed_instances = 1
    }
  }
}

# The same data without wget: two tasks share one download.
job "mnist_fetched" {
  task_role "taskrole" {
    instances     = 2
    image         = prerequisite.dockerimage.docker_image_0
    prerequisites = [{ use = "marketplace://name/mnist_fetched", with = local.with }]
    commands      = local.commands

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 128
    }
  }
}
