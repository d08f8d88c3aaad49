# By the place and the name of the file, separated by #.
terraform import openpai_marketplace_item.data './marketplace#data'
