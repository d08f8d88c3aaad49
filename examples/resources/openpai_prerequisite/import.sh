# By type and name: it is found in the jobs of the workspace that use it. The
# id may also be a definition.
terraform import openpai_prerequisite.tools script.tools
