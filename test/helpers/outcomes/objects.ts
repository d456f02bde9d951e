/** Outcomes of commands on buckets and objects. The format is described in `command-outcomes.test.ts`. */

const NO_BUCKET = 'bucket nobucket does not exist';

export const OBJECTS = `
# mb
! - it creates what it names
+ mb box => 0 made bucket box
+ mb plain --no-versioning => 0 made bucket plain
+ mb vault --object-lock => 0 made bucket vault
= mb box => 0 nothing to create: bucket box exists already
# bucket create
! - it creates what it names
+ bucket create empty => 0 made bucket empty
= bucket create empty => 0 nothing to create
# put
! put ./nofile box/a => 1 the file does not exist
! put ./f.txt nobucket/a => 1 ${NO_BUCKET}
= - it always stores an object
+ put ./f.txt box/a => 0 stored box/a
+ put ./f.txt box/p/b => 0 stored box/p/b
+ put ./f.txt plain/a => 0 stored plain/a
+ put ./f.txt vault/a => 0 stored vault/a
# ls
! ls nobucket => 1 ${NO_BUCKET}
! ls box/nothing => 1 cannot list box/nothing: no object has that prefix
! ls box/nothing --json => 1 no object has that prefix
= ls empty => 0 nothing to list: bucket empty holds no objects
+ ls box => 0 folder
# versions
! versions nobucket => 1 ${NO_BUCKET}
! versions box/nothing => 1 cannot list box/nothing: no version has that prefix
= versions empty => 0 nothing to list: bucket empty holds no versions
+ versions box => 0 current
# get
! get box/nothing ./o1 => 1 object "nothing" does not exist
! get box/a ./o1 --version-id AAAAAAAXXXXXXXXXXXXXXXXXXXXXXXXX => 1 does not exist
= - it always writes
+ get box/a ./o1 => 0 5 B
# info
! info box/nothing => 1 object "nothing" does not exist
= - it changes nothing
+ info box/a => 0 size
# bucket info
! bucket info nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ bucket info box => 0 holds
# bucket list
! - it names nothing
= - there are buckets of jobs here
+ bucket list => 0 box
# cp
! cp ./nofile box/x => 1 the file does not exist
! cp box/nothing box/y => 1 object "nothing" does not exist
! cp box/nothing/ box/y/ --recursive => 1 cannot copy box/nothing/: no object has that prefix
! cp box/nothing/ ./zz --recursive => 1 cannot copy box/nothing/
= cp ./blank box/z/ --recursive => 0 nothing to copy
= cp empty ./zz --recursive => 0 nothing to copy: bucket empty holds no objects
+ cp box/a box/c => 0 copied 1 object
# mv
! mv box/nothing box/y => 1 object "nothing" does not exist
! mv box/nothing/ box/y/ --recursive => 1 cannot rename box/nothing/
= mv box/c box/c => 1 the old and the new name are the same
+ mv box/c box/d => 0 renamed 1 object
# tag get
! tag get box/nothing => 1 nothing
= tag get box/a => 0 has no tags
+ - test/daemon/object-commands.test.ts
# tag set
! tag set box/nothing a=b => 1 nothing
! tag set box/nothing/ a=b --recursive => 1 cannot tag box/nothing/
+ tag set box/a a=b => 0 a=b
= tag set box/a a=b => 0 a=b
# tag remove
! tag remove box/a zzz => 1 cannot remove tags: box/a has no tag zzz
! tag remove box/nothing/ --all --recursive => 1 cannot tag box/nothing/
+ tag remove box/a a => 0 box/a has no tags
= tag remove box/a --all => 0 box/a has no tags
# meta get
! meta get box/nothing => 1 object "nothing" does not exist
= - it changes nothing
+ - test/daemon/object-commands.test.ts
# meta set
! meta set box/nothing a=b => 1 object "nothing" does not exist
! meta set box/a --remove zzz => 1 the object has no such attribute
! meta set box/nothing/ a=b --recursive => 1 cannot change box/nothing/
= - it always writes a version
+ meta set box/a a=b => 0 changed box/a
# link
! link box/nothing => 1 object "nothing" does not exist
= - it always creates a link
+ link box/a => 0 valid until
# encrypt new-key
! - it creates what it names
+ encrypt new-key ./k1 => 0 a new key
+ encrypt new-key ./k2 => 0 a new key
= encrypt new-key ./k1 => 1 it is there already
# encrypt object
! encrypt object box/nothing --key-file ./k1 => 1 object "nothing" does not exist
+ encrypt object box/p/b --key-file ./k1 => 0 encrypted box/p/b
= encrypt object box/p/b --key-file ./k1 => 1 encrypt rotate
# encrypt rotate
! encrypt rotate box/nothing --key-file ./k1 --new-key-file ./k2 => 1 object "nothing" does not exist
= encrypt rotate box/a --key-file ./k1 --new-key-file ./k2 => 1 the object is not encrypted
+ encrypt rotate box/p/b --key-file ./k1 --new-key-file ./k2 => 0 encrypted under the new key
# encrypt remove
! encrypt remove box/nothing --key-file ./k2 => 1 object "nothing" does not exist
+ encrypt remove box/p/b --key-file ./k2 => 0 decrypted box/p/b
= encrypt remove box/p/b --key-file ./k2 => 1 the object is not encrypted
# retention get
! retention get vault/nothing => 1 object "nothing" does not exist
= retention get vault/a => 0 no retention was ever set
+ - test/daemon/lock-commands.test.ts
# retention set
! retention set vault/nothing --for 1d --mode GOVERNANCE => 1 object "nothing" does not exist
! retention set vault/no/ --for 1d --mode GOVERNANCE --recursive => 1 cannot retain vault/no/
= - it always sets the retention anew
+ retention set vault/a --for 1d --mode GOVERNANCE => 0 GOVERNANCE until
# retention extend
! retention extend vault/nothing --for 2d => 1 object "nothing" does not exist
! retention extend vault/no/ --for 2d --recursive => 1 cannot extend vault/no/
= retention extend vault/a --for 1h => 2 it holds until
+ retention extend vault/a --for 2d => 0 until
# hold get
! hold get vault/nothing => 1 object "nothing" does not exist
= hold get vault/a => 0 no legal hold was ever set
+ - test/daemon/lock-commands.test.ts
# hold on
! hold on vault/nothing => 1 object "nothing" does not exist
! hold on vault/no/ --recursive => 1 cannot put a hold on vault/no/
+ hold on vault/a => 0 legal hold ON
= hold on vault/a => 0 legal hold ON
# hold off
! hold off vault/nothing => 1 object "nothing" does not exist
+ hold off vault/a => 0 legal hold OFF
= hold off vault/a => 0 legal hold OFF
# lock get
! lock get nobucket => 1 ${NO_BUCKET}
= lock get vault => 0 no default retention
+ - test/daemon/lock-commands.test.ts
# lock set
! lock set nobucket --mode GOVERNANCE --days 1 => 1 ${NO_BUCKET}
+ lock set vault --mode GOVERNANCE --days 1 => 0 GOVERNANCE for 1 day by default
= lock set vault --mode GOVERNANCE --days 1 => 0 GOVERNANCE for 1 day by default
# lock remove
! lock remove nobucket => 1 ${NO_BUCKET}
+ lock remove vault => 0 no default retention
= lock remove vault => 0 no default retention
# versioning get
! versioning get nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ versioning get box => 0 Enabled
# versioning enable
! versioning enable nobucket => 1 ${NO_BUCKET}
+ versioning enable plain => 0 Enabled
= versioning enable plain => 0 Enabled
# versioning suspend
! versioning suspend nobucket => 1 ${NO_BUCKET}
+ versioning suspend plain => 0 Suspended
= versioning suspend plain => 0 Suspended
# quota get
! quota get nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ quota get box => 0 objects
# quota set
! quota set nobucket --bytes 1GB => 1 ${NO_BUCKET}
+ quota set box --bytes 1GB => 0 1 GB, set here
= quota set box --bytes 1GB => 0 1 GB, set here
# acl get
! acl get box/nothing => 1 object "nothing" does not exist
= - it changes nothing
+ acl get box/a => 0 owner
# acl set
! acl set box/nothing private => 1 object "nothing" does not exist
! acl set box/nothing/ private --recursive => 1 cannot set the rights of box/nothing/
+ acl set box/a private => 0 owner
= acl set box/a private => 0 owner
# acl grant
! acl grant box/nothing read:authenticated => 1 object "nothing" does not exist
+ acl grant box/a read:authenticated => 0 authenticated
= acl grant box/a read:authenticated => 0 authenticated
# acl revoke
! acl revoke box/nothing read:authenticated => 1 object "nothing" does not exist
+ acl revoke box/a read:authenticated => 0 owner
= acl revoke box/a read:authenticated => 1 it was not granted
# policy get
! policy get nobucket => 1 ${NO_BUCKET}
= policy get box => 1 the bucket has none
+ - test/daemon/access-commands.test.ts
# policy set
! policy set nobucket ./policy.json => 1 ${NO_BUCKET}
! policy set box ./nofile => 1 the file does not exist
= - it always stores the policy
+ policy set box ./policy.json => 0 set the policy
# policy check
! policy check nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ policy check box => 0 in order
# policy explain
! policy explain GetObject nobucket/x => 1 ${NO_BUCKET}
! policy explain GetObject box/a --user nouser => 1 nouser
= - it changes nothing
+ policy explain GetObject box/a => 0 allowed
# policy remove
! policy remove nobucket => 1 ${NO_BUCKET}
+ policy remove box => 0 removed the policy
= policy remove box => 0 nothing to remove: bucket box has no policy
# website get
! website get nobucket => 1 ${NO_BUCKET}
= website get box => 1 it has none
+ - test/daemon/website-commands.test.ts
# website set
! website set nobucket => 1 ${NO_BUCKET}
= - it always stores the configuration
+ website set box => 3 not
# website remove
! website remove nobucket => 1 ${NO_BUCKET}
+ website remove box => 0 removed the website configuration
= website remove box => 0 nothing to remove
# cors get
! cors get nobucket => 1 ${NO_BUCKET}
= cors get box => 1 it has none
+ - test/daemon/website-commands.test.ts
# cors set
! cors set nobucket ./cors.json => 1 ${NO_BUCKET}
= - it always stores the rules
+ cors set box ./cors.json => 0 1 CORS rule
# cors add
! cors add nobucket --origin '*' => 1 ${NO_BUCKET}
= - it always adds a rule
+ cors add box --origin '*' => 0 2 CORS rules
# cors remove
! cors remove nobucket => 1 ${NO_BUCKET}
+ cors remove box => 0 removed the CORS rules
= cors remove box => 0 nothing to remove
# lifecycle get
! lifecycle get nobucket => 1 ${NO_BUCKET}
= lifecycle get box => 1 it has no rules
+ - test/daemon/lifecycle-commands.test.ts
# lifecycle set
! lifecycle set nobucket ./rules.json => 1 ${NO_BUCKET}
= - it always stores the rules
+ lifecycle set box ./rules.json => 0 1 lifecycle rule
# lifecycle add
! lifecycle add nobucket tmp --expire-after 3 => 1 ${NO_BUCKET}
+ lifecycle add box tmp --expire-after 3 => 0 2 lifecycle rules
= lifecycle add box tmp --expire-after 3 => 1 has a rule "tmp" already
# lifecycle off
! lifecycle off box norule => 1 no lifecycle rule "norule"
+ lifecycle off box tmp => 0 1 of them off
= lifecycle off box tmp => 0 1 of them off
# lifecycle on
! lifecycle on box norule => 1 no lifecycle rule "norule"
+ lifecycle on box tmp => 0 2 lifecycle rules
= lifecycle on box tmp => 0 2 lifecycle rules
# lifecycle preview
! lifecycle preview nobucket => 1 ${NO_BUCKET}
= lifecycle preview box => 0 0 changes
+ - test/daemon/lifecycle-commands.test.ts
# lifecycle run
! - it names nothing
= lifecycle run => 0 nothing to do
+ - test/daemon/lifecycle-commands.test.ts
# lifecycle runs
! - it names nothing
= - a run was just recorded
+ lifecycle runs => 0 nothing to do
# lifecycle remove
! lifecycle remove box norule => 1 no lifecycle rule "norule"
= - a rule that exists can be removed
+ lifecycle remove box tmp => 0 1 lifecycle rule
# rm
! rm box/nothing => 1 cannot remove box/nothing: the object does not exist
! rm plain/nothing => 1 the object does not exist
! rm box/a --version-id AAAAAAAXXXXXXXXXXXXXXXXXXXXXXXXX => 1 cannot remove version
! rm nobucket/a => 1 ${NO_BUCKET}
! rm box/nothing/ --recursive => 1 cannot remove box/nothing/: no object has that prefix
! rm box/nothing/ --recursive --dry-run => 1 cannot remove box/nothing/
= rm empty --recursive => 0 nothing to remove: bucket empty holds no objects
+ rm box/a => 0 added a delete marker
! rm box/a => 1 is deleted already
+ rm box/nothing --force => 0 added a delete marker
# rb
! rb nobucket => 1 ${NO_BUCKET}
= rb box => 1 delete all versions
+ rb empty => 0 removed bucket empty
# bucket remove
! bucket remove nobucket => 1 ${NO_BUCKET}
= - the same as rb
+ - the same as rb
`;
