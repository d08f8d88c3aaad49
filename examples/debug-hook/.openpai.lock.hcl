# Written by "openpai init" and "openpai lock". Commit it, and change it only
# with these commands.

item "marketplace://script/debug_hook?from=examples" {
  references = ["marketplace://name/debug_hook"]
  source     = "../marketplace//debug_hook.yaml"
  hash       = "h1:5a9f364f724f85bd13deb947b5dda8ced4c3426559fb76bfb10e43cf42a2deb7"
}
