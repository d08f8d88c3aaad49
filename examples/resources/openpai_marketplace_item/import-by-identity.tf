import {
  to = openpai_marketplace_item.data
  identity = {
    to   = "./marketplace"
    name = "data"
  }
}
