list "openpai_prerequisite" "used" {
  provider = openpai
}
