/**
 * Error messages 1 to 20, about folders, the daemon and command-line arguments.
 * `provoked-errors.test.ts` describes the format.
 */

export const DAEMON = `
# 1 "up" with a bucket name that contains a capital letter
$ up ./docs --bucket B1
2 holdfast: invalid bucket name "B1"
  a bucket name has 3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends, such as b1-backup
# 2 "up" with a folder that does not exist
$ up ./no/such
1 holdfast: cannot back up FOLDER/no/such: the folder does not exist
  check its path: ls -ld FOLDER/no/such
# 3 "up" with a file instead of a folder
$ up /etc/passwd
1 holdfast: cannot back up /etc/passwd: it is not a folder
  to back up the folder of that file: holdfast up /etc
# 4 an option for a folder, but no folder
$ up --bucket abc
2 holdfast: cannot use --bucket without a folder
  name the folder: holdfast up FOLDER --bucket …
# 5 commands that need the daemon while no daemon is running
$ verify --home ./none
1 holdfast: Holdfast is not running
  to start it: holdfast --home ./none up; to back up a first folder: holdfast --home ./none up FOLDER, or holdfast --home ./none init
$ restore docs --to ./r --home ./none
1 holdfast: cannot restore: no job is configured
  to restore what another machine has stored: holdfast --home ./none restore --from s3://BUCKET --to DIR; to back up a folder of this machine: holdfast --home ./none init
# 6 "log" while no daemon is running
$ log --home ./none
1 holdfast: cannot read the log FOLDER/none/state/holdfast.log: the file does not exist
  the daemon creates it when it starts: holdfast --home ./none up
# 7 a daemon that does not respond
& freeze the daemon of cold
~ verify --home ./cold
1 holdfast: the daemon runs, but has not responded for 10 s (pid PID)
  its log: holdfast --home ./cold log; to stop it: kill -9 PID; then, to start it again: holdfast --home ./cold up
~ log --home ./cold -n 1
0 TIME  info   daemon: started  area=daemon pid=PID version=0.1.0 storage=http://127.0.0.1:PORT
~ down --home ./cold
1 holdfast: the daemon runs, but has not responded for 10 s (pid PID)
  its log: holdfast --home ./cold log; to stop it: kill -9 PID; then, to start it again: holdfast --home ./cold up
# 8 a daemon that was killed
& kill the daemon of cold
$ verify --home ./cold
1 holdfast: Holdfast is not running: it stopped unexpectedly after TIME
  \`holdfast --home ./cold log\` shows its last lines; to start it: holdfast --home ./cold up; to back up a first folder: holdfast --home ./cold up FOLDER, or holdfast --home ./cold init
# 9 a second daemon in the same home
$ service run
1 holdfast: cannot open store FOLDER/home/data/store: Holdfast runs already (pid PID)
  to see its state: holdfast status; to stop it: holdfast down
# 10 a port that is already in use
$ service run --home ./taken
1 holdfast: cannot use FOLDER/taken/config.yaml: storage: listen on 127.0.0.1:PORT: the port is in use by PROGRAM (pid PID)
  stop that program, or take a free port: start with --port 0 each time, or write \`storage: {port: 0}\` to FOLDER/taken/config.yaml
# 11 a store without jobs in a home that has jobs
$ s3 serve --home ./jobs
1 holdfast: cannot use FOLDER/jobs/config.yaml: jobs: \`holdfast --home ./jobs s3 serve\` runs the store without jobs, but jobs are configured: docs
  to run the jobs too: holdfast --home ./jobs service run; or remove \`jobs\` from config.yaml
# 12 the home of another user
$ status --home ./foreign
1 holdfast: cannot reach the daemon: FOLDER/foreign/control.sock belongs to another user
  each user has their own daemon; to use yours, omit --home and HOLDFAST_HOME
# 13 a misspelled command
$ stauts
2 holdfast: unknown command 'stauts'
  Did you mean: holdfast status
# 14 the help
$ help
0 Usage: holdfast [options] [command]
…
# 15 destructive commands of other tools
$ delete
2 holdfast: unknown command 'delete'
  to delete an object: holdfast s3 rm BUCKET/KEY; to remove a job and keep its bucket: holdfast job remove JOB
$ targets
2 holdfast: unknown command 'targets'
  to list the targets: holdfast target list; to add a target: holdfast target add NAME SERVICE
# 16 commands of other tools
$ backup
2 holdfast: unknown command 'backup'
  to back up a folder: holdfast up FOLDER
$ sync
2 holdfast: unknown command 'sync'
  to mirror a folder: holdfast up FOLDER
$ prune
2 holdfast: unknown command 'prune'
  to list the versions that a job would remove: holdfast job keep JOB --dry-run
# 17 an unknown option
$ status --foo
2 holdfast: unknown option '--foo'
  to show its options and examples: holdfast status --help
# 18 a missing argument
$ undo
2 holdfast: cannot undo: no file or folder is given
  name it: holdfast undo PATH; to take the last undo back: holdfast undo --redo
# 19 a missing option
$ lock retention set vault/a --for 1d
2 holdfast: required option '--mode <GOVERNANCE|COMPLIANCE>' not specified
  to show its options and examples: holdfast lock retention set --help
# 20 a protocol that does not exist
$ up ./docs --protocol foo
2 holdfast: option '--protocol <name>' argument 'foo' is invalid. Allowed choices are s3, svc.
  to show its options and examples: holdfast up --help
`;
