# Runs as the user after a power failure and a reboot. The script starts no service.
. /srv/lane/claims.sh
says 'active (running)' holdfast service status --system
says '"running":true' holdfast service status --json
says 'in sync' holdfast status
echo 'and salt' >>notes/todo.txt
holdfast wait --timeout 1m
holdfast verify --read-back >/dev/null
claim both services start at boot, and the job mirrors a new change
