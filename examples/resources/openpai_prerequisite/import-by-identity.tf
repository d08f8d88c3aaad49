import {
  to = openpai_prerequisite.tools
  identity = {
    type = "script"
    name = "tools"
  }
}
