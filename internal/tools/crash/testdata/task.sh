# Writes into the ledger that a task attempt starts and ends. The lock is held
# by everything that the attempt starts, so that a second attempt beside it is
# seen.
#   sh task.sh JOB SECONDS [fails-first]
cd "$PAI_STORAGE_HERE" || exit 1
task="$1 $FC_TASKROLE_NAME $FC_TASK_INDEX $FC_FRAMEWORK_ATTEMPT_ID $FC_TASK_ATTEMPT_ID"
exec 9>"lock-$1-$FC_TASKROLE_NAME-$FC_TASK_INDEX"
flock -n 9 || echo "overlap $task" >>ledger
echo "start $task" >>ledger
echo "$FC_FRAMEWORK_UID" >>uids
sleep "$2"
if [ "$3" = fails-first ] && [ "$FC_FRAMEWORK_ATTEMPT_ID" = 0 ]; then
	echo "fail $task" >>ledger
	exit 3
fi
echo "end $task" >>ledger
