# Written by "openpai init" and "openpai lock". Commit it, and change it only
# with these commands.

item "marketplace://script/descend?from=items" {
  references = ["marketplace://script/descend"]
  source     = "./items//descend.yaml"
  hash       = "h1:3bf2759bcdda5c9cee80ab1e3c7efcb40b0255f0829d085bb732db04943f912a"
}
