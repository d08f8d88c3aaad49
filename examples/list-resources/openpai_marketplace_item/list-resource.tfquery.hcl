list "openpai_marketplace_item" "published" {
  provider = openpai

  config {
    to = "./marketplace"
  }
}
