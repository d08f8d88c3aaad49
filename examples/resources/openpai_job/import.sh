# By name, for the user of the provider, or by the id user~name.
terraform import openpai_job.train train
terraform import openpai_job.train alice~train
