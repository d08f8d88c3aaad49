import {
  to = openpai_job.train
  identity = {
    user = "alice" # default: the user of the provider
    name = "train"
  }
}
