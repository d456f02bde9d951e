# Runs as a user after the upgrade of the .deb. The user ran no command for the service after the
# upgrade.
. /srv/lane/claims.sh
test "$(holdfast status --json | json .version)" = 99.0.0
echo 'and salad' >>notes/todo.txt
holdfast wait --timeout 1m
says 'in sync' holdfast status
claim the upgrade restarted the service of the user, which continues with its job
