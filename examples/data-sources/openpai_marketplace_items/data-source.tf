data "openpai_marketplace_items" "all" {
  source = "marketplace"
}

output "names" {
  value = data.openpai_marketplace_items.all.items[*].name
}
