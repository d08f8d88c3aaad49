// Command openpai-runtime is the program inside every container of a task.
//
//	openpai-runtime init      as the init container: prepare the shared volume
//	openpai-runtime run       as the task; also what the program does under the name runtime
//	openpai-runtime plugin NAME ...   one init plugin; also what it does under the name of one
//	openpai-runtime version
//
// It reads the run specification from PAI_CONFIG_DIR (default
// /usr/local/pai-config), or RUNTIME_CONFIG, and who it is from the FC_*
// variables of FrameworkController.
package main
