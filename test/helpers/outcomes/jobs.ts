/**
 * Expected results of commands about jobs, restores and the daemon. `command-outcomes.test.ts`
 * describes the format.
 */

export const JOBS = `
# status
! status nosuch => 1 job nosuch does not exist
= - a daemon without jobs: test/daemon/start.test.ts
+ status notes => 0 notes  in sync
# job list
! - its arguments contain no name
= - there are jobs here: test/daemon/cli-commands.test.ts
+ job list => 0 notes
# job show
! job show nojob => 1 unknown job "nojob"
= - it changes nothing
+ job show notes => 0 bucket notes
# job queue
! job queue nojob => 1 unknown job "nojob"
= job queue notes => 0 nothing is queued
+ - a job with pending changes: test/daemon/cli-commands.test.ts
# job add
! job add ./nofolder => 1 the folder does not exist
+ job add ./fourth => 0 fourth
= job add ./fourth => 0 fourth
# job remove
! job remove nojob --yes => 1 unknown job "nojob"
= - a job that exists can be removed
+ job remove fourth --yes => 0 removed job fourth
# job pause
! job pause nojob => 1 unknown job "nojob"
+ job pause blank => 0 job blank is paused
= job pause blank => 0 job blank is paused
# job resume
! job resume nojob => 1 unknown job "nojob"
+ job resume blank => 0 job blank is not paused
= job resume blank => 0 job blank is not paused
# job run
! job run nojob => 1 unknown job "nojob"
= - it begins a round also where nothing changed
+ job run blank => 0 requested a full round
# job edit
! job edit nojob paused=true => 1 unknown job "nojob"
+ job edit blank drift=enforce => 0 drift
= job edit blank drift=enforce => 0 nothing to change
# job keep
! job keep nojob => 1 unknown job "nojob"
= job keep blank => 1 the job has no keep rule
+ - a job with a keep rule: test/daemon/cli-commands.test.ts
# job review
! job review nojob => 1 unknown job "nojob"
= job review notes => 0 no changes held for review
+ - held changes: test/daemon/cli-commands.test.ts
# job approve
! job approve nojob --all => 1 unknown job "nojob"
! job approve notes --digest abc => 1 the digest does not match
= job approve notes --all => 0 nothing to approve
= job approve notes => 0 nothing to approve
+ - held changes: test/daemon/cli-commands.test.ts
# job reject
! job reject nojob => 1 unknown job "nojob"
= job reject notes => 0 nothing to reject
+ - held changes: test/daemon/cli-commands.test.ts
# job acknowledge
! job acknowledge notes nofile --note known => 1 job notes has no problem at nofile
= job acknowledge notes nofile --withdraw => 1 job notes has no acknowledged problem at nofile
+ - a file with a problem: test/daemon/acknowledge.test.ts
# job accept-root
! job accept-root nojob => 1 unknown job "nojob"
= job accept-root notes => 0 nothing to accept
+ - a missing folder: test/daemon/cli-commands.test.ts
# job take-over
! job take-over nojob --yes => 1 unknown job "nojob"
= job take-over notes --yes => 0 nothing to take over
+ - a place of another job: test/daemon/jobs.test.ts
# config check
! config check nofile.yaml => 1 nofile.yaml
= - it changes nothing
+ config check => 0 in order
# config reload
! - its arguments contain no name
= config reload => 0 all jobs continue unchanged
+ - a changed configuration: test/daemon/reload.test.ts
# conflict list
! conflict list nojob => 1 unknown job "nojob"
= conflict list notes => 0 no open conflicts
+ - a conflict: test/daemon/conflict-commands.test.ts
# conflict show
! conflict show ./notes/plan.md => 1 job notes has no conflict of plan.md
= - the path is the conflict that is named
+ - a conflict: test/daemon/conflict-commands.test.ts
# conflict resolve
! conflict resolve ./notes/plan.md --keep local --job notes => 1 no open conflict at that path
= conflict resolve --all --keep local --job notes => 0 nothing to resolve
+ - a conflict: test/daemon/conflict-commands.test.ts
# lock list
! lock list nojob => 1 unknown job "nojob"
= lock list notes => 0 notes: sets no locks
+ lock list safe => 0 safe: 1 current version locked
# lock why
! lock why ./notes/nothere => 1 the job does not mirror a file or folder "nothere"
= lock why ./notes/plan.md => 0 any client with the permission can remove this version
+ lock why ./safe/a.md => 0 the job renews its retention until
# lock release
! lock release nojob ./notes/plan.md => 1 unknown job "nojob"
! lock release notes ./notes/nothere => 1 the job does not mirror a file or folder "nothere"
! lock release notes ./notes/plan.md => 1 nothing to release
+ lock release safe ./safe/a.md => 0 released the lock of 1 version; it ends
= lock release safe ./safe/a.md => 1 nothing to release
# job forget
! job forget notes ./notes/nothere => 1 the job does not mirror a file or folder "nothere"
= job forget notes ./notes/plan.md => 1 is mirrored
+ - an excluded file: test/scenario/mirror-lock-life.test.ts
# restore
! restore nojob --to ./r1 => 1 "nojob" is neither a job nor a path
! restore ./notes/nothere --to ./r1 => 1 nothing to restore: no object is stored at notes/nothere
! restore ./notes/nothere --to ./r1 --dry-run => 1 nothing to restore
! restore ./notes/nothere --in-place => 1 nothing to restore
! restore notes --to ./r1 --at '1 day ago' => 1 no object was stored at notes/ at that time
! restore --from $URL/notes/nopref --to ./r1 => 1 no object is stored at notes/nopref/
! restore --from $URL/nobucket --to ./r1 => 1 bucket "nobucket" does not exist
= restore blank --to ./r1 => 3 nothing to restore: the folder was empty
= restore blank --to ./r1 --dry-run => 3 nothing to restore: the folder was empty; for files that were deleted: --at TIME
= restore blank --to ./r1 --at now => 3 nothing to restore: the folder was empty at 2
= restore blank --to ./r1 --at now --dry-run => 3 nothing to restore: the folder was empty at 2
+ restore notes --to ./r2 => 0 restored to
= restore notes --to ./r2 => 0 nothing to restore: 2 files in
+ restore --from $URL/notes --to ./r3 => 0 restored to
# undo
! undo ./notes/nothere => 1 cannot undo nothere: the bucket has no version of it
! undo ./notes/plan.md --at '2 days ago' => 1 it did not exist at that time; its first version is from
! undo ./notes/plan.md --version-id AAAA => 1 it has no version AAAA
= undo ./notes/plan.md => 1 cannot undo plan.md: it has no older version
= undo ./notes/plan.md --at now => 0 nothing to undo
! undo --redo nojob => 1 neither a job nor a path
= undo --redo notes => 1 job notes has no undo to take back
+ - an older version: test/daemon/undo-commands.test.ts
# history
! history nojob --at now => 1 "nojob" is neither a job nor a path
! history ./notes/nothere --at now => 1 no object was stored there
! history ./notes/nothere => 1 job notes has no version of it
! history ./notes/nothere --day today => 1 job notes has no version of it
! history nobucket/key => 1 does not exist
! history ./other => 1 no job backs it up
= history notes --at '1 day ago' => 0 nothing to list
= history notes --to '1 day ago' => 0 no file changed within that time
+ history notes --at now => 0 2 objects
+ history ./notes/plan.md => 0 this computer
+ history notes/plan.md => 0 this computer
+ history notes => 0 UPLOADED
+ history notes --day today => 0 + plan.md
# diff
! diff nojob => 1 "nojob" is neither a job nor a path
! diff ./notes/nothere => 1 no object was stored there at either time
! diff notes/plan.md~9 => 1 notes/plan.md has
! diff notes ./notes/plan.md => 2 not a file with versions
= diff notes --from now => 0 0 added, 0 changed
+ diff ./notes/plan.md => 0 +++ plan.md~0
+ - more differences: test/daemon/history-commands.test.ts
# verify
! verify nojob => 1 unknown job "nojob"
= verify blank => 0 nothing to verify
+ verify notes => 0 not locked, as the job sets no locks
+ verify safe => 0 locked as configured
# test
! test nojob => 1 unknown job "nojob"
= test blank => 0 nothing to test
+ test notes => 0 2 files, 7 B: restored unchanged
# wait
! wait nojob => 1 unknown job "nojob"
= wait notes => 0 notes: in sync
+ wait => 0 blank: in sync
# monitor alerts list
! - its arguments contain no name
= monitor alerts list => 0 no alert
+ - an alert: test/daemon/monitoring.test.ts
# monitor alerts test
! monitor alerts test nojob => 1 unknown job "nojob"
= - an action is always configured: the log
+ monitor alerts test notes => 0 log: written
`;
