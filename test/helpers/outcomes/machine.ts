/**
 * Expected results of commands about users, monitoring, clusters and the local computer.
 * `command-outcomes.test.ts` describes the format.
 */

export const MACHINE = `
# admin credentials
! admin credentials --key nokey => 1 nokey
= - there is a key always
+ admin credentials => 0 access key id
# admin keys list
! - its arguments contain no name
= - there is a key always
+ admin keys list => 0 root
# admin keys add
! admin keys add nouser => 1 nouser
= - each run creates a key
+ admin keys add => 0 created access key
# admin keys rotate
! admin keys rotate nokey => 1 nokey
= - each run creates a key
+ - test/daemon/people.test.ts
# admin keys remove
! admin keys remove nokey => 1 nokey
= - a key that exists can be removed
+ - test/daemon/people.test.ts
# admin whoami
! admin whoami nouser => 1 nouser
= - it changes nothing
+ admin whoami => 0 holdfast:root@local
# admin users list
! - its arguments contain no name
= - there is a user always
+ admin users list => 0 root
# admin users add
! - it creates the thing that its argument names
+ admin users add ann => 0 added user ann
= admin users add ann => 1 it exists already
# admin users grant
! admin users grant nouser => 1 nouser
+ admin users grant ann => 0 access: full
= admin users grant ann => 0 access: full
# admin users revoke
! admin users revoke nouser => 1 nouser
+ admin users revoke ann => 0 access: objects
= admin users revoke ann => 0 access: objects
# admin users disable
! admin users disable nouser => 1 nouser
+ admin users disable ann => 0 user ann is disabled
= admin users disable ann => 0 user ann is disabled
# admin users enable
! admin users enable nouser => 1 nouser
+ admin users enable ann => 0 user ann is enabled
= admin users enable ann => 0 user ann is enabled
# admin projects list
! - its arguments contain no name
= - there is a project always
+ admin projects list => 0 holdfast
# admin projects add
! - it creates the thing that its argument names
+ admin projects add lab => 0 created project lab
= admin projects add lab => 1 it exists already
# admin projects set-email
! admin projects set-email noproject => 1 noproject
+ admin projects set-email lab lab@example.com => 0 email: lab@example.com
= admin projects set-email lab lab@example.com => 0 email: lab@example.com
# admin projects remove
! admin projects remove noproject => 1 noproject
= - a project that exists can be removed
+ admin projects remove lab => 0 removed project lab
# admin groups list
! - its arguments contain no name
= admin groups list => 0 no group
+ - test/daemon/people.test.ts
# admin groups add
! - it creates the thing that its argument names
+ admin groups add team => 0 group team
= admin groups add team => 1 group exists already
# admin groups grant
! admin groups grant nogroup => 1 nogroup
+ admin groups grant team => 0 access: full
= admin groups grant team => 0 access: full
# admin groups revoke
! admin groups revoke nogroup => 1 nogroup
+ admin groups revoke team => 0 access: objects
= admin groups revoke team => 0 access: objects
# admin groups join
! admin groups join nogroup ann => 1 nogroup
! admin groups join team nouser => 1 nouser
+ admin groups join team ann => 0 users: ann
= admin groups join team ann => 0 users: ann
# admin groups leave
! admin groups leave nogroup ann => 1 nogroup
! admin groups leave team nouser => 1 nouser
+ admin groups leave team ann => 0 users: none
= admin groups leave team ann => 0 users: none
# admin groups remove
! admin groups remove nogroup => 1 nogroup
= - a group that exists can be removed
+ admin groups remove team => 0 removed group team
# admin users remove
! admin users remove nouser => 1 nouser
= - a user that exists can be removed
+ admin users remove ann => 0 removed user ann
# monitor metrics
! monitor metrics nobucket => 1 unknown bucket "nobucket"
= - it changes nothing
+ monitor metrics notes => 0 monitoring off
# monitor metrics on
! monitor metrics on nobucket => 1 unknown bucket "nobucket"
+ monitor metrics on notes => 0 monitoring of notes is on
= monitor metrics on notes => 0 monitoring of notes is on
# monitor metrics off
! monitor metrics off nobucket => 1 unknown bucket "nobucket"
+ monitor metrics off notes => 0 monitoring of notes is off
= monitor metrics off notes => 0 monitoring of notes is off
# monitor alarms list
! monitor alarms list --bucket nobucket => 1 unknown bucket "nobucket"
= monitor alarms list => 0 no alarms
+ - test/daemon/monitoring.test.ts
# monitor alarms add
! monitor alarms add big --bucket nobucket --threshold 5 => 1 unknown bucket "nobucket"
+ monitor alarms add big --bucket notes --threshold 5 => 0 big
= monitor alarms add big --bucket notes --threshold 5 => 1 it exists already
# monitor alarms get
! monitor alarms get noalarm => 1 unknown alarm "noalarm"
= - it changes nothing
+ monitor alarms get big => 0 big
# monitor alarms history
! monitor alarms history noalarm => 1 unknown alarm "noalarm"
= - an alarm has an entry always
+ monitor alarms history big => 0 added
# monitor alarms acknowledge
! monitor alarms acknowledge noalarm => 1 unknown alarm "noalarm"
= monitor alarms acknowledge big => 1 not ALARM
+ - test/daemon/monitoring.test.ts
# monitor alarms test
! monitor alarms test noalarm => 1 unknown alarm "noalarm"
= monitor alarms test big => 0 the alarm has no actions for state ALARM
+ - test/daemon/monitoring.test.ts
# monitor alarms set-state
! monitor alarms set-state noalarm OK --reason x => 1 unknown alarm "noalarm"
= monitor alarms set-state big OK --reason x => 1 monitoring of notes is off
+ - test/daemon/monitoring.test.ts
# monitor alarms remove
! monitor alarms remove noalarm => 1 unknown alarm "noalarm"
= - an alarm that exists can be removed
+ monitor alarms remove big => 0 removed alarm big
# cluster services
! - its arguments contain no name
= - there is a service always
+ cluster services => 0 this machine
# cluster list
! cluster list --service noservice => 1 unknown cluster service "noservice"
= cluster list => 0 no cluster
+ - test/daemon/cluster-commands.test.ts
# cluster create
! cluster create lab --service noservice => 1 unknown cluster service "noservice"
+ cluster create lab => 0 lab
= cluster create lab => 1 already exists
# cluster describe
! cluster describe nocluster => 1 No cluster found
= - it changes nothing
+ cluster describe lab => 0 lab
# cluster nodegroups list
! cluster nodegroups list nocluster => 1 No cluster found
= cluster nodegroups list lab => 0 no node group
+ - test/daemon/cluster-commands.test.ts
# cluster nodegroups create
! cluster nodegroups create nocluster pool --instance-type t3.medium --subnet s-1 => 1 No cluster found
= - test/daemon/cluster-commands.test.ts
+ - test/daemon/cluster-commands.test.ts
# cluster nodegroups describe
! cluster nodegroups describe lab nogroup => 1 No node group found
= - it changes nothing
+ - test/daemon/cluster-commands.test.ts
# cluster nodegroups export
! cluster nodegroups export lab nogroup => 1 No node group found
= - it changes nothing
+ - test/daemon/cluster-commands.test.ts
# cluster nodegroups updates
! cluster nodegroups updates lab nogroup => 1 No node group found
= - it changes nothing
+ - test/daemon/cluster-commands.test.ts
# cluster nodegroups update
! cluster nodegroups update lab nogroup --desired 2 => 1 No node group found
= - test/daemon/cluster-commands.test.ts
+ - test/daemon/cluster-commands.test.ts
# cluster nodegroups delete
! cluster nodegroups delete lab nogroup --yes => 1 No node group found
= - a group that exists can be deleted
+ - test/daemon/cluster-commands.test.ts
# cluster nodegroups wait
! - waiting for a deletion succeeds if the group does not exist
= cluster nodegroups wait lab nogroup => 0 gone
+ - test/daemon/cluster-commands.test.ts
# cluster delete
! cluster delete nocluster --yes => 1 No cluster found
= - a cluster that exists can be deleted
+ cluster delete lab --yes => 0 lab
# admin backup-state
! - it creates the thing that its argument names
+ admin backup-state ./st => 0 saved
= admin backup-state ./st => 1 it already exists
# admin restore-state
! admin restore-state ./nost --home ./other => 1 cannot restore the state from
= - it replaces the state also by an equal one
+ - test/daemon/backup-state.test.ts
# admin store check
! admin store check ./nofolder => 1 it does not exist
= - it changes nothing
+ admin store check => 0 in order
# admin store repair
! admin store repair ./nofolder => 1 it does not exist
= admin store repair => 0 nothing to repair
+ - a damaged store: test/daemon/damage.test.ts
# admin store trust-clock
! - its arguments contain no name
= admin store trust-clock => 0 the clock was trusted already
+ - test/daemon/trust-clock.test.ts
# support-bundle
! support-bundle ./no/such/folder => 1 cannot create folder
= - it always writes
+ support-bundle ./sb => 0 wrote
# log
! - its arguments contain no name
= - a daemon that runs has a log
+ log -n 1 => 0 area=
# doctor
! - its arguments contain no name
= - it changes nothing
+ doctor => * daemon
# up
! up ./nofolder => 1 the folder does not exist
= up ./notes --once => 0 already exists
+ - test/daemon/up.test.ts
# init
! init ./nofolder --yes => 1 the folder does not exist
= init ./notes --yes => 1 job notes already exists
+ - test/daemon/init.test.ts
# completion
! completion nosh => 2 it is not a supported shell
= - it changes nothing
+ completion bash => 0 complete -F
# target list
! - its arguments contain no name
= target list => 0 no targets
+ - a target: test/daemon/target-commands.test.ts
# target add
! target add far nohost => 2 invalid service "nohost"
= - it adds a target, or changes its key
+ target add far $URL => 0 added target far
# target test
! target test notarget => 1 unknown target "notarget"
= - it changes nothing
+ target test far => 0 service far
# target rename
! target rename notarget far2 => 1 unknown target "notarget"
= - the name of a target can be changed once
+ - test/daemon/target-commands.test.ts
# target set-key
! target set-key notarget => 1 unknown target "notarget"
= - it always saves the key
+ target set-key far => 0 changed the key of target far
# target remove
! target remove notarget --yes => 1 notarget
= - a target that exists can be removed
+ target remove far --yes => 0 removed target far
# help
! help nocommand => 2 unknown command 'nocommand'
= - it changes nothing
+ help --all => 0 s3 versions
# version
! - its arguments contain no name
= - it changes nothing
+ version => 0 0.
# dashboard
! - its arguments contain no name
= - it changes nothing
+ - test/daemon/dashboard.test.ts
# service run
! - its arguments contain no name
= - a second daemon is refused: test/daemon/start.test.ts
+ - test/daemon/start.test.ts
# s3 serve
! - its arguments contain no name
= - a second daemon is refused: test/daemon/serve.test.ts
+ - test/daemon/serve.test.ts
# down
! - its arguments contain no name
= down --home ./other => 0 no daemon is running
+ - test/daemon/stop.test.ts
${['install', 'uninstall', 'start', 'stop', 'restart', 'status', 'logs'].map((verb) => `# service ${verb}\n! - its arguments contain no name\n= - it needs a service manager: test/systemd\n+ - it needs a service manager: test/systemd`).join('\n')}
`;
