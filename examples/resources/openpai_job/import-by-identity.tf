import {
  to = openpai_job.train
  identity = {
    user      = "alice" # default: the user of the provider block
    name      = "train"
    namespace = "default" # default: that of the provider block; another one is an error
  }
}
