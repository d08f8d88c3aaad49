data "openpai_marketplace_item" "mnist" {
  source       = "marketplace"
  name         = "mnist"
  item_version = "1.0"
}

resource "openpai_job" "train" {
  name = "train"

  task_roles = {
    worker = {
      image         = "busybox:1.36"
      prerequisites = [{ use = data.openpai_marketplace_item.mnist.definition, with = { dataPath = "/dataset/mnist" } }]
      commands      = ["ls /dataset/mnist"]
      resources     = { gpu = 0, cpu = 1, memory_mb = 512 }
    }
  }
}
