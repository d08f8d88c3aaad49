# Written by "openpai init" and "openpai lock". Commit it, and change it only
# with these commands.

item "marketplace://script/debug_hook?from=examples" {
  references = ["marketplace://name/debug_hook"]
  source     = "../marketplace//debug_hook.yaml"
  hash       = "h1:1d6c7a27c313aa27b45b71c40d67ec83f671ee57eb82673bbf4c1b868cca13de"
}
