resource "openpai_prerequisite" "greet" {
  type      = "script"
  name      = "greet"
  version   = "1.0"
  callbacks = [{ event = "taskStarts", commands = ["echo hello"] }]
}

resource "openpai_marketplace_item" "greet" {
  to      = "marketplace"
  name    = "greet"
  content = provider::openpai::export_item(openpai_prerequisite.greet.definition)
}
