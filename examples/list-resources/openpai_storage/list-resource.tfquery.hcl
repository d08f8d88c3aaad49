list "openpai_storage" "used" {
  provider = openpai
}
