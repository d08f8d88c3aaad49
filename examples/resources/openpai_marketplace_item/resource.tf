resource "openpai_marketplace_item" "data" {
  to   = "marketplace"
  name = "mnist"
  content = yamlencode({
    name               = "mnist"
    type               = "data"
    version            = "1.0"
    template_variables = [{ name = "dataPath" }]
    callbacks          = [{ event = "taskStarts", commands = ["mkdir -p {{ dataPath }}"] }]
  })
}
