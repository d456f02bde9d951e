/** Error messages 21 to 30, about restores. `provoked-errors.test.ts` describes the format. */

export const RESTORES = `
# 21 a restore without a destination folder
$ restore
2 holdfast: cannot restore: without a terminal, it needs JOB, and --to DIR or --in-place
  to another folder: holdfast restore JOB --to DIR; to the folder of the job: holdfast restore JOB --in-place; on a new machine: holdfast restore --from s3://BUCKET --to DIR
$ restore docs
2 holdfast: cannot restore: choose one place for the files, --to or --in-place
  to another folder: holdfast restore docs --to DIR; to its own folder: holdfast restore docs --in-place
# 22 a time that cannot be parsed
$ undo ./docs/plan.md --at tomorrow
2 holdfast: invalid time "tomorrow"
  write "2h ago", "yesterday 14:00", "last tuesday", "2026-11-20 14:00" (local time) or 2026-11-20T14:00:00Z
$ undo ./docs/plan.md --at whenever
2 holdfast: invalid time "whenever"
  write "2h ago", "yesterday 14:00", "last tuesday", "2026-11-20 14:00" (local time) or 2026-11-20T14:00:00Z
# 23 a duration without a unit
$ history docs --at '2 ago'
2 holdfast: invalid time "2 ago"
  write "2h ago", "yesterday 14:00", "last tuesday", "2026-11-20 14:00" (local time) or 2026-11-20T14:00:00Z
# 24 a time in the future
$ restore docs --to ./r --at 2099-01-01
2 holdfast: invalid time "2099-01-01": it is in the future
  write "2h ago", "yesterday 14:00", "last tuesday", "2026-11-20 14:00" (local time) or 2026-11-20T14:00:00Z
# 25 a path outside of all jobs
$ restore ./nothere --to ./r
1 holdfast: "./nothere" is neither a job nor a path in the folder of a job
  jobs: docs (FOLDER/docs), letters (FOLDER/Papers), safe (FOLDER/safe), gone (FOLDER/gone), held (FOLDER/held), sealed (FOLDER/sealed); to add one: holdfast up FOLDER
# 26 a restore to a full disk
& fill the disk
$ restore docs --to ./full/r
1 holdfast: cannot restore into FOLDER/full/r: the disk has too little free space: it needs 7 B more, but only 0 B are free
  free up disk space, then repeat the command: it continues with the missing files
# 27 a restore to a folder without write permission
$ restore docs --to ./roots/zz
1 holdfast: cannot restore into FOLDER/roots/zz: permission denied
  restore into another folder (--to DIR)
# 28 a restore into Holdfast's own home
$ restore docs --to ./home/config.yaml
1 holdfast: cannot use FOLDER/home/config.yaml: it is inside FOLDER/home, which Holdfast uses for its own data; choose another folder
$ restore docs --to ./home/r
1 holdfast: cannot use FOLDER/home/r: it is inside FOLDER/home, which Holdfast uses for its own data; choose another folder
# 29 a restore from a prefix without objects
$ restore --from $URL/docs/nopref --to ./r
1 holdfast: nothing to restore: no object is stored at docs/nopref/
  the bucket contains files but no folders; to restore all of it: --from ENDPOINT/docs; to restore deleted files: --at TIME
# 30 a restore from a bucket that does not exist
$ restore --from $URL/nobucket --to ./r
1 holdfast: cannot restore: bucket "nobucket" does not exist at $URL
  buckets that this key may list: arch, docs, gone, held, letters, safe, sealed, vault; to restore one: --from ENDPOINT/BUCKET
`;
