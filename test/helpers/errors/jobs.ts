/**
 * Error messages 46 to 68, about jobs, the reasons why they stop, and the configuration.
 * `provoked-errors.test.ts` describes the format.
 */

export const JOBS = `
# 46 adding the same folder twice
$ job add ./docs --bucket other
1 holdfast: cannot back up FOLDER/docs: job docs already backs it up
  to back it up to another target as well, use --target; \`holdfast job list\` shows all jobs
# 47 a job that would back up Holdfast's own home
$ job add ./home
2 holdfast: cannot back up FOLDER/home: it is inside FOLDER/home, which Holdfast uses for its own data
  choose another folder; to back up the state of Holdfast: holdfast admin backup-state DIR
# 48 two jobs with the same bucket
$ job add ./large --bucket docs
1 holdfast: cannot back up FOLDER/large: job docs stores its objects in bucket docs
  choose another bucket with --bucket NAME, or give each job its own prefix
# 49 a job with the name of an existing job
$ init ./other/docs --yes
1 holdfast: cannot back up FOLDER/other/docs: job docs already exists
  to see its folder: holdfast job list; to add this one under another name: holdfast job add FOLDER/other/docs --name NAME
# 50 a job that does not exist
$ job pause nojob
1 holdfast: unknown job "nojob"
  existing jobs: docs, letters, safe, gone, held, sealed; to list them with their folders: holdfast job list
# 51 an unknown option of a job
$ job edit docs foo=1
2 nothing was changed:
  foo: unknown key; known keys are name, folder, bucket, prefix, target, also, paused, exclude, cacheDirs, oneFileSystem, conflict, drift, conflictWindowDays, lock, minVersionInterval, keep, attributes, carry, verifyUploads, customerKey, rescanMinutes, verifyDays, verifyMegabytesPerDay, unguarded, heartbeatUrl, bandwidth, schedule, window, onBattery, onMetered, priority
# 52 an option with a value of the wrong type
$ job edit docs lock=yes
2 nothing was changed:
  lock: must be a map of keys and values such as {mode: GOVERNANCE, days: 30}, not "yes"
# 53 approving held changes without their digest
& delete all files of held
$ job run held
0 requested a full round of job held
$ wait held
3 held: held: 59 deletes are held: the limit of the job is 50 in 10 minutes; their objects stay in the bucket
  59 changes held for review
  see \`holdfast job review held\`, then \`job approve\` or \`job reject\` it
$ job approve held
2 holdfast: cannot approve the changes of job held unseen: give --digest DIGEST or --all
  to list them with their digest: holdfast job review held
# 54 forgetting a file that the job still mirrors
$ job forget docs ./docs/plan.md --yes
1 holdfast: cannot forget plan.md: it is mirrored; delete the file or exclude it (\`exclude\` of the job in config.yaml), then forget it
# 55 releasing a file that has no lock
$ lock release docs ./docs/plan.md --yes
1 holdfast: nothing to release: job docs renews no lock of FOLDER/docs/plan.md
  to see which lock a file has: holdfast lock why FOLDER/docs/plan.md
# 56 waiting for a job whose folder is missing
& lose the folder gone
$ job run gone
0 requested a full round of job gone; it waits: root missing, SECONDS behind: cannot back up FOLDER/gone: the folder does not exist
$ wait gone
3 gone: root missing, SECONDS behind: cannot back up FOLDER/gone: the folder does not exist
  nothing is deleted in the bucket; mount its disk, or restore it: \`holdfast restore gone --in-place\`; only if the folder is correct as it is: \`holdfast job accept-root gone\`
# 57 verifying a job whose folder is missing
$ verify gone
1 gone: unlistable: the folder FOLDER/gone does not exist
  mount its disk, or restore it: holdfast restore gone --in-place
gone: 0 paths, 0 B: 1 difference
# 58 a file that the daemon may not read
$ wait sealed
3 sealed: in sync except for 1 problem, after SECONDS
  1 problem:
    locked: unreadable: cannot back up locked: permission denied; give the user that Holdfast runs as read permission, or exclude it
# 59 a folder of another user
$ job add ./roots
1 holdfast: cannot back up FOLDER/roots: permission denied
  give the user that runs the daemon read access to the folder and its contents (chmod or setfacl), or choose another folder
# 60 a folder that does not fit on the disk
$ up ./large --once --home ./disk/home
1 job large  FOLDER/large → bucket large in the embedded store
  kept against mistakes only: the store is on the same disk as the folder
large  no room: the folder has 67.1 MB, but only SIZE are available on the disk of FOLDER/disk/home/data/store: free up disk space, or exclude files
# 61 downloading an object to a full disk
$ s3 get docs/plan.md ./full/out
1 holdfast: cannot write FOLDER/full/out: the disk is full
  free disk space, then repeat the command
# 62 downloading an object to a folder without write permission
$ s3 get docs/plan.md ./roots/z
1 holdfast: cannot write FOLDER/roots/z: permission denied
  choose another path, change the permissions of the file or its folder, or run the command as a user that has permission
# 63 YAML with an unclosed bracket
$ config check ./flow.yaml
1 FOLDER/flow.yaml:1:22 the closing } is missing
1 problem
# 64 an unknown section of config.yaml
$ config check ./storge.yaml
1 FOLDER/storge.yaml:1:1 storge: unknown key; did you mean storage?
1 problem
# 65 an unknown key of config.yaml
$ config check ./prot.yaml
1 FOLDER/prot.yaml:1:11 storage.prot: unknown key; did you mean port?
1 problem
# 66 values of config.yaml outside of their limits
$ config check ./port.yaml
1 FOLDER/port.yaml:1:17 storage.port: must be a whole number from 0 to 65535
1 problem
$ config check ./host.yaml
1 FOLDER/host.yaml:1:17 storage.host: must be a loopback address, such as 127.0.0.1
1 problem
$ job edit docs lock='{mode: GOVERNANCE, days: 0}'
2 nothing was changed:
  lock.days: must be at least 1
$ job edit docs keep='{all: x}'
2 nothing was changed:
  keep.all: must be a period such as 7d, 4w or 1y, of at least 1d and at most 100y
# 67 a schedule that never occurs
$ config check ./schedule.yaml
1 FOLDER/schedule.yaml:1:61 jobs[0].schedule: must be five fields as in cron that match a real date, such as "0 2 * * *"
1 problem
# 68 a tab in YAML
$ config check ./tab.yaml
1 FOLDER/tab.yaml:2:1 Tabs are not allowed as indentation; use spaces
1 problem
`;
