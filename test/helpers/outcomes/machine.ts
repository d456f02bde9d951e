/**
 * Outcomes of commands on users, monitoring, clusters and this machine. The format is described in
 * `command-outcomes.test.ts`.
 */

export const MACHINE = `
# credentials
! credentials --key nokey => 1 nokey
= - there is a key always
+ credentials => 0 access key id
# keys list
! - it names nothing
= - there is a key always
+ keys list => 0 root
# keys add
! keys add nouser => 1 nouser
= - each run creates a key
+ keys add => 0 made access key
# keys rotate
! keys rotate nokey => 1 nokey
= - each run creates a key
+ - test/daemon/people.test.ts
# keys remove
! keys remove nokey => 1 nokey
= - a key that exists can be removed
+ - test/daemon/people.test.ts
# whoami
! whoami nouser => 1 nouser
= - it changes nothing
+ whoami => 0 holdfast:root@local
# users list
! - it names nothing
= - there is a user always
+ users list => 0 root
# users add
! - it creates what it names
+ users add ann => 0 added user ann
= users add ann => 1 it exists already
# users grant
! users grant nouser => 1 nouser
+ users grant ann => 0 access: full
= users grant ann => 0 access: full
# users revoke
! users revoke nouser => 1 nouser
+ users revoke ann => 0 access: objects
= users revoke ann => 0 access: objects
# users disable
! users disable nouser => 1 nouser
+ users disable ann => 0 user ann is disabled
= users disable ann => 0 user ann is disabled
# users enable
! users enable nouser => 1 nouser
+ users enable ann => 0 user ann is enabled
= users enable ann => 0 user ann is enabled
# projects list
! - it names nothing
= - there is a project always
+ projects list => 0 holdfast
# projects add
! - it creates what it names
+ projects add lab => 0 added project lab
= projects add lab => 1 it exists already
# projects set-email
! projects set-email noproject => 1 noproject
+ projects set-email lab lab@example.com => 0 e-mail: lab@example.com
= projects set-email lab lab@example.com => 0 e-mail: lab@example.com
# projects remove
! projects remove noproject => 1 noproject
= - a project that exists can be removed
+ projects remove lab => 0 removed project lab
# groups list
! - it names nothing
= groups list => 0 no group
+ - test/daemon/people.test.ts
# groups add
! - it creates what it names
+ groups add team => 0 group team
= groups add team => 1 group exists already
# groups grant
! groups grant nogroup => 1 nogroup
+ groups grant team => 0 access: full
= groups grant team => 0 access: full
# groups revoke
! groups revoke nogroup => 1 nogroup
+ groups revoke team => 0 access: objects
= groups revoke team => 0 access: objects
# groups join
! groups join nogroup ann => 1 nogroup
! groups join team nouser => 1 nouser
+ groups join team ann => 0 in it: ann
= groups join team ann => 0 in it: ann
# groups leave
! groups leave nogroup ann => 1 nogroup
! groups leave team nouser => 1 nouser
+ groups leave team ann => 0 in it: no user
= groups leave team ann => 0 in it: no user
# groups remove
! groups remove nogroup => 1 nogroup
= - a group that exists can be removed
+ groups remove team => 0 removed group team
# users remove
! users remove nouser => 1 nouser
= - a user that exists can be removed
+ users remove ann => 0 removed user ann
# metrics
! metrics nobucket => 1 unknown bucket "nobucket"
= - it changes nothing
+ metrics notes => 0 monitoring off
# metrics on
! metrics on nobucket => 1 unknown bucket "nobucket"
+ metrics on notes => 0 monitoring of notes is on
= metrics on notes => 0 monitoring of notes is on
# metrics off
! metrics off nobucket => 1 unknown bucket "nobucket"
+ metrics off notes => 0 monitoring of notes is off
= metrics off notes => 0 monitoring of notes is off
# alarms list
! alarms list --bucket nobucket => 1 unknown bucket "nobucket"
= alarms list => 0 no alarms
+ - test/daemon/monitoring.test.ts
# alarms add
! alarms add big --bucket nobucket --threshold 5 => 1 unknown bucket "nobucket"
+ alarms add big --bucket notes --threshold 5 => 0 big
= alarms add big --bucket notes --threshold 5 => 1 it exists already
# alarms get
! alarms get noalarm => 1 unknown alarm "noalarm"
= - it changes nothing
+ alarms get big => 0 big
# alarms history
! alarms history noalarm => 1 unknown alarm "noalarm"
= - an alarm has an entry always
+ alarms history big => 0 added
# alarms acknowledge
! alarms acknowledge noalarm => 1 unknown alarm "noalarm"
= alarms acknowledge big => 1 not ALARM
+ - test/daemon/monitoring.test.ts
# alarms test
! alarms test noalarm => 1 unknown alarm "noalarm"
= alarms test big => 0 nothing is done on ALARM
+ - test/daemon/monitoring.test.ts
# alarms set-state
! alarms set-state noalarm OK --reason x => 1 unknown alarm "noalarm"
= alarms set-state big OK --reason x => 1 monitoring of notes is off
+ - test/daemon/monitoring.test.ts
# alarms remove
! alarms remove noalarm => 1 unknown alarm "noalarm"
= - an alarm that exists can be removed
+ alarms remove big => 0 removed alarm big
# clusters services
! - it names nothing
= - there is a service always
+ clusters services => 0 this machine
# clusters list
! clusters list --service noservice => 1 unknown cluster service "noservice"
= clusters list => 0 no cluster
+ - test/daemon/cluster-commands.test.ts
# clusters create
! clusters create lab --service noservice => 1 unknown cluster service "noservice"
+ clusters create lab => 0 lab
= clusters create lab => 1 already exists
# clusters describe
! clusters describe nocluster => 1 No cluster found
= - it changes nothing
+ clusters describe lab => 0 lab
# nodegroups list
! nodegroups list nocluster => 1 No cluster found
= nodegroups list lab => 0 no node group
+ - test/daemon/cluster-commands.test.ts
# nodegroups create
! nodegroups create nocluster pool --instance-type t3.medium --subnet s-1 => 1 No cluster found
= - test/daemon/cluster-commands.test.ts
+ - test/daemon/cluster-commands.test.ts
# nodegroups describe
! nodegroups describe lab nogroup => 1 No node group found
= - it changes nothing
+ - test/daemon/cluster-commands.test.ts
# nodegroups export
! nodegroups export lab nogroup => 1 No node group found
= - it changes nothing
+ - test/daemon/cluster-commands.test.ts
# nodegroups updates
! nodegroups updates lab nogroup => 1 No node group found
= - it changes nothing
+ - test/daemon/cluster-commands.test.ts
# nodegroups update
! nodegroups update lab nogroup --desired 2 => 1 No node group found
= - test/daemon/cluster-commands.test.ts
+ - test/daemon/cluster-commands.test.ts
# nodegroups delete
! nodegroups delete lab nogroup --yes => 1 No node group found
= - a group that exists can be deleted
+ - test/daemon/cluster-commands.test.ts
# nodegroups wait
! - a group that does not exist is what the wait for a deletion ends with
= nodegroups wait lab nogroup => 0 gone
+ - test/daemon/cluster-commands.test.ts
# clusters delete
! clusters delete nocluster --yes => 1 No cluster found
= - a cluster that exists can be deleted
+ clusters delete lab --yes => 0 lab
# backup-state
! - it creates what it names
+ backup-state ./st => 0 saved
= backup-state ./st => 1 it is there already
# restore-state
! restore-state ./nost --home ./other => 1 restore state from
= - it replaces the state also by an equal one
+ - test/daemon/backup-state.test.ts
# store check
! store check ./nofolder => 1 there is none
= - it changes nothing
+ store check => 0 in order
# store repair
! store repair ./nofolder => 1 there is none
= store repair => 0 nothing to repair
+ - a damaged store: test/daemon/damage.test.ts
# store trust-clock
! - it names nothing
= store trust-clock => 0 the clock was trusted already
+ - test/daemon/trust-clock.test.ts
# support-bundle
! support-bundle ./no/such/folder => 1 make folder
= - it always writes
+ support-bundle ./sb => 0 wrote
# log
! - it names nothing
= - a daemon that runs has a log
+ log -n 1 => 0 area=
# doctor
! - it names nothing
= - it changes nothing
+ doctor => * daemon
# up
! up ./nofolder => 1 the folder does not exist
= up ./notes --once => 0 there already
+ - test/daemon/up.test.ts
# init
! init ./nofolder --yes => 1 the folder does not exist
= init ./notes --yes => 1 a job notes exists already
+ - test/daemon/init.test.ts
# completion
! completion nosh => 2 it is no shell
= - it changes nothing
+ completion bash => 0 complete -F
# man
! - it names nothing
= - it changes nothing
+ man => 0 holdfast
# dashboard
! - it names nothing
= - it changes nothing
+ - test/daemon/dashboard.test.ts
# daemon
! - it names nothing
= - a second daemon is refused: test/daemon/start.test.ts
+ - test/daemon/start.test.ts
# serve
! - it names nothing
= - a second daemon is refused: test/daemon/serve.test.ts
+ - test/daemon/serve.test.ts
# down
! - it names nothing
= down --home ./other => 0 no daemon is running
+ - test/daemon/stop.test.ts
${['install', 'uninstall', 'start', 'stop', 'restart', 'status', 'logs'].map((verb) => `# service ${verb}\n! - it names nothing\n= - it needs a service manager: test/systemd\n+ - it needs a service manager: test/systemd`).join('\n')}
`;
