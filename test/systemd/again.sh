# Runs as the user after an upgrade of the program and a new installation of the store.
. /srv/lane/claims.sh
holdfast service install
test "$(holdfast status --json | json .version)" = "$(holdfast --version)"
echo 'and bread' >>notes/todo.txt
holdfast wait --timeout 1m
says 'in sync' holdfast status
claim after the upgrade, the service continues with the same job, key and store
