# By type and name. The provider finds it in the jobs of the workspace that use it.
# The ID may also be a definition.
terraform import openpai_prerequisite.tools script.tools
