# By the place and the name of the file, with # between them.
terraform import openpai_marketplace_item.data './marketplace#data'
