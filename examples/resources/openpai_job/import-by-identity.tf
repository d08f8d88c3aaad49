import {
  to = openpai_job.train
  identity = {
    user      = "alice" # default: the user of the provider block
    name      = "train"
    namespace = "default" # default: the namespace of the provider block; another namespace is an error
  }
}
