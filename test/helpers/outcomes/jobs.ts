/** Outcomes of commands on jobs, restores and the daemon. The format is described in `command-outcomes.test.ts`. */

export const JOBS = `
# status
! - it names nothing
= - a daemon without jobs: test/daemon/start.test.ts
+ status => 0 notes  in sync
# jobs list
! - it names nothing
= - there are jobs here: test/daemon/cli-commands.test.ts
+ jobs list => 0 notes
# jobs show
! jobs show nojob => 1 unknown job "nojob"
= - it changes nothing
+ jobs show notes => 0 bucket notes
# jobs queue
! jobs queue nojob => 1 unknown job "nojob"
= jobs queue notes => 0 all is done
+ - a job with pending changes: test/daemon/cli-commands.test.ts
# jobs add
! jobs add ./nofolder => 1 the folder does not exist
+ jobs add ./fourth => 0 fourth
= jobs add ./fourth => 0 fourth
# jobs remove
! jobs remove nojob --yes => 1 unknown job "nojob"
= - a job that exists can be removed
+ jobs remove fourth --yes => 0 removed job fourth
# jobs pause
! jobs pause nojob => 1 unknown job "nojob"
+ jobs pause blank => 0 job blank is paused
= jobs pause blank => 0 job blank is paused
# jobs resume
! jobs resume nojob => 1 unknown job "nojob"
+ jobs resume blank => 0 job blank is not paused
= jobs resume blank => 0 job blank is not paused
# jobs run
! jobs run nojob => 1 unknown job "nojob"
= - it begins a round also where nothing changed
+ jobs run blank => 0 asked for a full round
# jobs edit
! jobs edit nojob paused=true => 1 unknown job "nojob"
+ jobs edit blank drift=enforce => 0 drift
= jobs edit blank drift=enforce => 0 nothing to change
# jobs keep
! jobs keep nojob => 1 unknown job "nojob"
= jobs keep blank => 1 the job has no keep rule
+ - a job with a keep rule: test/daemon/cli-commands.test.ts
# jobs review
! jobs review nojob => 1 unknown job "nojob"
= jobs review notes => 0 no changes held for review
+ - held changes: test/daemon/cli-commands.test.ts
# jobs approve
! jobs approve nojob --all => 1 unknown job "nojob"
! jobs approve notes --digest abc => 1 the digest does not match
= jobs approve notes --all => 0 nothing to approve
= jobs approve notes => 0 nothing to approve
+ - held changes: test/daemon/cli-commands.test.ts
# jobs reject
! jobs reject nojob => 1 unknown job "nojob"
= jobs reject notes => 0 nothing to reject
+ - held changes: test/daemon/cli-commands.test.ts
# jobs acknowledge
! jobs acknowledge notes nofile --note known => 1 job notes has no problem at nofile
= jobs acknowledge notes nofile --withdraw => 1 job notes has no acknowledged problem at nofile
+ - a file with a problem: test/daemon/acknowledge.test.ts
# jobs accept-root
! jobs accept-root nojob => 1 unknown job "nojob"
= jobs accept-root notes => 0 nothing to accept
+ - a missing folder: test/daemon/cli-commands.test.ts
# jobs take-over
! jobs take-over nojob => 1 unknown job "nojob"
= jobs take-over notes => 0 nothing to take over
+ - a place of another job: test/daemon/jobs.test.ts
# config check
! config check nofile.yaml => 1 nofile.yaml
= - it changes nothing
+ config check => 0 in order
# config reload
! - it names nothing
= config reload => 0 all jobs go on as they were
+ - a changed configuration: test/daemon/reload.test.ts
# conflicts list
! conflicts list nojob => 1 unknown job "nojob"
= conflicts list notes => 0 no open conflicts
+ - a conflict: test/daemon/conflict-commands.test.ts
# conflicts show
! conflicts show ./notes/plan.md => 1 job notes has no conflict of plan.md
= - the path is the conflict that is named
+ - a conflict: test/daemon/conflict-commands.test.ts
# conflicts resolve
! conflicts resolve ./notes/plan.md --keep local --job notes => 1 no open conflict of that path
= conflicts resolve --all --keep local --job notes => 0 nothing to resolve
+ - a conflict: test/daemon/conflict-commands.test.ts
# locks
! locks nojob => 1 unknown job "nojob"
= locks notes => 0 notes: locks nothing
+ locks safe => 0 safe: 1 version locked
# locks why
! locks why ./notes/nothere => 1 the job does not mirror a file or folder "nothere"
= locks why ./notes/plan.md => 0 any client with the permission can remove this version
+ locks why ./safe/a.md => 0 the job renews its retention until
# release
! release nojob ./notes/plan.md => 1 unknown job "nojob"
! release notes ./notes/nothere => 1 the job does not mirror a file or folder "nothere"
! release notes ./notes/plan.md => 1 nothing to release
+ release safe ./safe/a.md => 0 released the lock of 1 version; it ends
= release safe ./safe/a.md => 1 nothing to release
# forget
! forget notes ./notes/nothere => 1 the job does not mirror a file or folder "nothere"
= forget notes ./notes/plan.md => 1 is mirrored
+ - an excluded file: test/scenario/mirror-lock-life.test.ts
# restore
! restore nojob --to ./r1 => 1 "nojob" is neither a job nor a path
! restore ./notes/nothere --to ./r1 => 1 nothing to restore: no object is stored at notes/nothere
! restore ./notes/nothere --to ./r1 --dry-run => 1 nothing to restore
! restore ./notes/nothere --in-place => 1 nothing to restore
! restore notes --to ./r1 --at '1 day ago' => 1 no object was stored at notes/ at that time
! restore --from $URL/notes/nopref --to ./r1 => 1 no object is stored at notes/nopref/
! restore --from $URL/nobucket --to ./r1 => 1 has no bucket "nobucket"
= restore blank --to ./r1 => 3 nothing to restore: the folder was empty
= restore blank --to ./r1 --dry-run => 3 nothing to restore: the folder was empty
+ restore notes --to ./r2 => 0 restored to
= restore notes --to ./r2 => 0 nothing to restore: 2 files in
+ restore --from $URL/notes --to ./r3 => 0 restored to
# undo
! undo ./notes/nothere => 1 cannot undo nothere: the bucket has no version of it
! undo ./notes/plan.md --at '2 days ago' => 1 it did not exist at that time; its first version is from
! undo ./notes/plan.md --version-id AAAA => 1 it has no version AAAA
= undo ./notes/plan.md => 1 cannot undo plan.md: it has no older version
= undo ./notes/plan.md --at now => 0 nothing to undo
+ - an older version: test/daemon/restore-commands.test.ts
# at
! at now ls nojob => 1 "nojob" is neither a job nor a path
! at now ls ./notes/nothere => 1 no object was stored there
! at now diff now ./notes/nothere => 1 no object was stored there at either time
= at '1 day ago' ls notes => 0 nothing to list
= at now diff now notes => 0 0 added, 0 removed
+ at now ls notes => 0 2 objects
# verify
! verify nojob => 1 unknown job "nojob"
= verify blank => 0 nothing to verify
+ verify notes => 0 without a lock: the job sets none
+ verify safe => 0 locked as the job asks
# drill
! drill nojob => 1 unknown job "nojob"
= drill blank => 0 nothing to test
+ drill notes => 0 2 files, 7 B: came back as they were
# wait
! wait nojob => 1 unknown job "nojob"
= wait notes => 0 notes: in sync
+ wait => 0 blank: in sync
# alerts list
! - it names nothing
= alerts list => 0 no alert
+ - an alert: test/daemon/monitoring.test.ts
# alerts test
! alerts test nojob => 1 unknown job "nojob"
= - an action is always configured: the log
+ alerts test notes => 0 log: written
`;
