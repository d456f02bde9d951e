/**
 * Expected results of commands about buckets and objects. `command-outcomes.test.ts` describes the
 * format.
 */

const NO_BUCKET = 'bucket nobucket does not exist';

export const OBJECTS = `
# s3 mb
! - it creates the thing that its argument names
+ s3 mb box => 0 made bucket box
+ s3 mb plain --no-versioning => 0 made bucket plain
+ s3 mb vault --object-lock => 0 made bucket vault
= s3 mb box => 0 nothing to create: bucket box exists already
# s3 bucket create
! - it creates the thing that its argument names
+ s3 bucket create empty => 0 made bucket empty
= s3 bucket create empty => 0 nothing to create
# s3 put
! s3 put ./nofile box/a => 1 the file does not exist
! s3 put ./f.txt nobucket/a => 1 ${NO_BUCKET}
= - it always stores an object
+ s3 put ./f.txt box/a => 0 stored box/a
+ s3 put ./f.txt box/p/b => 0 stored box/p/b
+ s3 put ./f.txt plain/a => 0 stored plain/a
+ s3 put ./f.txt vault/a => 0 stored vault/a
# s3 ls
! s3 ls nobucket => 1 ${NO_BUCKET}
! s3 ls box/nothing => 1 cannot list box/nothing: no object has that prefix
= s3 ls empty => 0 nothing to list: bucket empty holds no objects
+ s3 ls box => 0 folder
# s3 versions
! s3 versions nobucket => 1 ${NO_BUCKET}
! s3 versions box/nothing => 1 cannot list box/nothing: no version has that prefix
= s3 versions empty => 0 nothing to list: bucket empty holds no versions
+ s3 versions box => 0 current
# s3 get
! s3 get box/nothing ./o1 => 1 object "nothing" does not exist
! s3 get box/a ./o1 --version-id AAAAAAAXXXXXXXXXXXXXXXXXXXXXXXXX => 1 does not exist
= - it always writes
+ s3 get box/a ./o1 => 0 5 B
# s3 info
! s3 info box/nothing => 1 object "nothing" does not exist
= - it changes nothing
+ s3 info box/a => 0 size
# s3 bucket info
! s3 bucket info nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ s3 bucket info box => 0 holds
# s3 bucket list
! - its arguments contain no name
= - there are buckets of jobs here
+ s3 bucket list => 0 box
# s3 cp
! s3 cp ./nofile box/x => 1 the file does not exist
! s3 cp box/nothing box/y => 1 object "nothing" does not exist
! s3 cp box/nothing/ box/y/ --recursive => 1 cannot copy box/nothing/: no object has that prefix
! s3 cp box/nothing/ ./zz --recursive => 1 cannot copy box/nothing/
= s3 cp ./blank box/z/ --recursive => 0 nothing to copy
= s3 cp empty ./zz --recursive => 0 nothing to copy: bucket empty holds no objects
+ s3 cp box/a box/c => 0 copied 1 object
# s3 mv
! s3 mv box/nothing box/y => 1 object "nothing" does not exist
! s3 mv box/nothing/ box/y/ --recursive => 1 cannot rename box/nothing/
= s3 mv box/c box/c => 1 the old and the new name are the same
+ s3 mv box/c box/d => 0 renamed 1 object
# s3 tag get
! s3 tag get box/nothing => 1 nothing
= s3 tag get box/a => 0 has no tags
+ - test/daemon/object-commands.test.ts
# s3 tag set
! s3 tag set box/nothing a=b => 1 nothing
! s3 tag set box/nothing/ a=b --recursive => 1 cannot tag box/nothing/
+ s3 tag set box/a a=b => 0 a=b
= s3 tag set box/a a=b => 0 a=b
# s3 tag remove
! s3 tag remove box/a zzz => 1 cannot remove tags: box/a has no tag zzz
! s3 tag remove box/nothing/ --all --recursive => 1 cannot tag box/nothing/
+ s3 tag remove box/a a => 0 box/a has no tags
= s3 tag remove box/a --all => 0 box/a has no tags
# s3 meta get
! s3 meta get box/nothing => 1 object "nothing" does not exist
= - it changes nothing
+ - test/daemon/object-commands.test.ts
# s3 meta set
! s3 meta set box/nothing a=b => 1 object "nothing" does not exist
! s3 meta set box/a --remove zzz => 1 the object has no such attribute
! s3 meta set box/nothing/ a=b --recursive => 1 cannot change box/nothing/
= - it always writes a version
+ s3 meta set box/a a=b => 0 changed box/a
# s3 link
! s3 link box/nothing => 1 object "nothing" does not exist
= - it always creates a link
+ s3 link box/a => 0 valid until
# s3 encrypt new-key
! - it creates the thing that its argument names
+ s3 encrypt new-key ./k1 => 0 a new key
+ s3 encrypt new-key ./k2 => 0 a new key
= s3 encrypt new-key ./k1 => 1 it already exists
# s3 encrypt object
! s3 encrypt object box/nothing --key-file ./k1 => 1 object "nothing" does not exist
+ s3 encrypt object box/p/b --key-file ./k1 => 0 encrypted box/p/b
= s3 encrypt object box/p/b --key-file ./k1 => 1 encrypt rotate
# s3 encrypt rotate
! s3 encrypt rotate box/nothing --key-file ./k1 --new-key-file ./k2 => 1 object "nothing" does not exist
= s3 encrypt rotate box/a --key-file ./k1 --new-key-file ./k2 => 1 the object is not encrypted
+ s3 encrypt rotate box/p/b --key-file ./k1 --new-key-file ./k2 => 0 encrypted under the new key
# s3 encrypt remove
! s3 encrypt remove box/nothing --key-file ./k2 => 1 object "nothing" does not exist
+ s3 encrypt remove box/p/b --key-file ./k2 => 0 decrypted box/p/b
= s3 encrypt remove box/p/b --key-file ./k2 => 1 the object is not encrypted
# lock retention get
! lock retention get vault/nothing => 1 object "nothing" does not exist
= lock retention get vault/a => 0 no retention was ever set
+ - test/daemon/lock-commands.test.ts
# lock retention set
! lock retention set vault/nothing --for 1d --mode GOVERNANCE => 1 object "nothing" does not exist
! lock retention set vault/no/ --for 1d --mode GOVERNANCE --recursive => 1 cannot retain vault/no/
= - it always sets the retention anew
+ lock retention set vault/a --for 1d --mode GOVERNANCE => 0 GOVERNANCE until
# lock retention extend
! lock retention extend vault/nothing --for 2d => 1 object "nothing" does not exist
! lock retention extend vault/no/ --for 2d --recursive => 1 cannot extend vault/no/
= lock retention extend vault/a --for 1h => 2 it already ends
+ lock retention extend vault/a --for 2d => 0 until
# lock hold get
! lock hold get vault/nothing => 1 object "nothing" does not exist
= lock hold get vault/a => 0 no legal hold was ever set
+ - test/daemon/lock-commands.test.ts
# lock hold on
! lock hold on vault/nothing => 1 object "nothing" does not exist
! lock hold on vault/no/ --recursive => 1 cannot put a hold on vault/no/
+ lock hold on vault/a => 0 legal hold ON
= lock hold on vault/a => 0 legal hold ON
# lock hold off
! lock hold off vault/nothing => 1 object "nothing" does not exist
+ lock hold off vault/a => 0 legal hold OFF
= lock hold off vault/a => 0 legal hold OFF
# lock default get
! lock default get nobucket => 1 ${NO_BUCKET}
= lock default get vault => 0 no default retention
+ - test/daemon/lock-commands.test.ts
# lock default set
! lock default set nobucket --mode GOVERNANCE --days 1 => 1 ${NO_BUCKET}
+ lock default set vault --mode GOVERNANCE --days 1 => 0 GOVERNANCE for 1 day by default
= lock default set vault --mode GOVERNANCE --days 1 => 0 GOVERNANCE for 1 day by default
# lock default remove
! lock default remove nobucket => 1 ${NO_BUCKET}
+ lock default remove vault => 0 no default retention
= lock default remove vault => 0 no default retention
# s3 versioning get
! s3 versioning get nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ s3 versioning get box => 0 Enabled
# s3 versioning enable
! s3 versioning enable nobucket => 1 ${NO_BUCKET}
+ s3 versioning enable plain => 0 Enabled
= s3 versioning enable plain => 0 Enabled
# s3 versioning suspend
! s3 versioning suspend nobucket => 1 ${NO_BUCKET}
+ s3 versioning suspend plain => 0 Suspended
= s3 versioning suspend plain => 0 Suspended
# s3 quota get
! s3 quota get nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ s3 quota get box => 0 objects
# s3 quota set
! s3 quota set nobucket --bytes 1GB => 1 ${NO_BUCKET}
+ s3 quota set box --bytes 1GB => 0 1 GB, set here
= s3 quota set box --bytes 1GB => 0 1 GB, set here
# s3 acl get
! s3 acl get box/nothing => 1 object "nothing" does not exist
= - it changes nothing
+ s3 acl get box/a => 0 owner
# s3 acl set
! s3 acl set box/nothing private => 1 object "nothing" does not exist
! s3 acl set box/nothing/ private --recursive => 1 cannot set the ACL of box/nothing/
+ s3 acl set box/a private => 0 owner
= s3 acl set box/a private => 0 owner
# s3 acl grant
! s3 acl grant box/nothing read:authenticated => 1 object "nothing" does not exist
+ s3 acl grant box/a read:authenticated => 0 authenticated
= s3 acl grant box/a read:authenticated => 0 authenticated
# s3 acl revoke
! s3 acl revoke box/nothing read:authenticated => 1 object "nothing" does not exist
+ s3 acl revoke box/a read:authenticated => 0 owner
= s3 acl revoke box/a read:authenticated => 1 it was not granted
# s3 policy get
! s3 policy get nobucket => 1 ${NO_BUCKET}
= s3 policy get box => 1 the bucket has none
+ - test/daemon/access-commands.test.ts
# s3 policy set
! s3 policy set nobucket ./policy.json => 1 ${NO_BUCKET}
! s3 policy set box ./nofile => 1 the file does not exist
= - it always stores the policy
+ s3 policy set box ./policy.json => 0 set the policy
# s3 policy check
! s3 policy check nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ s3 policy check box => 0 in order
# s3 policy explain
! s3 policy explain GetObject nobucket/x => 1 ${NO_BUCKET}
! s3 policy explain GetObject box/a --user nouser => 1 nouser
= - it changes nothing
+ s3 policy explain GetObject box/a => 0 allowed
# s3 policy remove
! s3 policy remove nobucket => 1 ${NO_BUCKET}
+ s3 policy remove box => 0 removed the policy
= s3 policy remove box => 0 nothing to remove: bucket box has no policy
# s3 public-access set
! s3 public-access set nobucket --block-public-acls => 1 ${NO_BUCKET}
= - it always stores the settings
+ s3 public-access set box --block-public-policy => 0 set the public access block
# s3 public-access get
! s3 public-access get nobucket => 1 ${NO_BUCKET}
= - it changes nothing
+ s3 public-access get box => 0 new public policies         rejected
# s3 public-access block
! s3 public-access block nobucket => 1 ${NO_BUCKET}
= - it always stores the settings
+ s3 public-access block box => 0 blocked all public access
# s3 public-access remove
! s3 public-access remove nobucket => 1 ${NO_BUCKET}
+ s3 public-access remove box => 0 removed the public access block
= s3 public-access remove box => 0 nothing to remove
# s3 website get
! s3 website get nobucket => 1 ${NO_BUCKET}
= s3 website get box => 1 the bucket has no website configuration
+ - test/daemon/website-commands.test.ts
# s3 website set
! s3 website set nobucket => 1 ${NO_BUCKET}
= - it always stores the configuration
+ s3 website set box => 3 not
# s3 website remove
! s3 website remove nobucket => 1 ${NO_BUCKET}
+ s3 website remove box => 0 removed the website configuration
= s3 website remove box => 0 nothing to remove
# s3 cors get
! s3 cors get nobucket => 1 ${NO_BUCKET}
= s3 cors get box => 1 the bucket has no CORS rules
+ - test/daemon/website-commands.test.ts
# s3 cors set
! s3 cors set nobucket ./cors.json => 1 ${NO_BUCKET}
= - it always stores the rules
+ s3 cors set box ./cors.json => 0 1 CORS rule
# s3 cors add
! s3 cors add nobucket --origin '*' => 1 ${NO_BUCKET}
= - it always adds a rule
+ s3 cors add box --origin '*' => 0 2 CORS rules
# s3 cors remove
! s3 cors remove nobucket => 1 ${NO_BUCKET}
+ s3 cors remove box => 0 removed the CORS rules
= s3 cors remove box => 0 nothing to remove
# s3 lifecycle get
! s3 lifecycle get nobucket => 1 ${NO_BUCKET}
= s3 lifecycle get box => 1 it has no rules
+ - test/daemon/lifecycle-commands.test.ts
# s3 lifecycle set
! s3 lifecycle set nobucket ./rules.json => 1 ${NO_BUCKET}
= - it always stores the rules
+ s3 lifecycle set box ./rules.json => 0 1 lifecycle rule
# s3 lifecycle add
! s3 lifecycle add nobucket tmp --expire-after 3 => 1 ${NO_BUCKET}
+ s3 lifecycle add box tmp --expire-after 3 => 0 2 lifecycle rules
= s3 lifecycle add box tmp --expire-after 3 => 1 has a rule "tmp" already
# s3 lifecycle off
! s3 lifecycle off box norule => 1 no lifecycle rule "norule"
+ s3 lifecycle off box tmp => 0 1 of them off
= s3 lifecycle off box tmp => 0 1 of them off
# s3 lifecycle on
! s3 lifecycle on box norule => 1 no lifecycle rule "norule"
+ s3 lifecycle on box tmp => 0 2 lifecycle rules
= s3 lifecycle on box tmp => 0 2 lifecycle rules
# s3 lifecycle preview
! s3 lifecycle preview nobucket => 1 ${NO_BUCKET}
= s3 lifecycle preview box => 0 0 changes
+ - test/daemon/lifecycle-commands.test.ts
# s3 lifecycle run
! - its arguments contain no name
= s3 lifecycle run => 0 nothing to do
+ - test/daemon/lifecycle-commands.test.ts
# s3 lifecycle runs
! - its arguments contain no name
= - a run was just recorded
+ s3 lifecycle runs => 0 nothing to do
# s3 lifecycle remove
! s3 lifecycle remove box norule => 1 no lifecycle rule "norule"
= - a rule that exists can be removed
+ s3 lifecycle remove box tmp => 0 1 lifecycle rule
# s3 rm
! s3 rm box/nothing => 1 cannot remove box/nothing: the object does not exist
! s3 rm plain/nothing => 1 the object does not exist
! s3 rm box/a --version-id AAAAAAAXXXXXXXXXXXXXXXXXXXXXXXXX => 1 cannot remove version
! s3 rm nobucket/a => 1 ${NO_BUCKET}
! s3 rm box/nothing/ --recursive => 1 cannot remove box/nothing/: no object has that prefix
! s3 rm box/nothing/ --recursive --dry-run => 1 cannot remove box/nothing/
= s3 rm empty --recursive => 0 nothing to remove: bucket empty holds no objects
+ s3 rm box/a => 0 added a delete marker
! s3 rm box/a => 1 is deleted already
+ s3 rm box/nothing --force => 0 added a delete marker
# s3 rb
! s3 rb nobucket => 1 ${NO_BUCKET}
= s3 rb box => 1 delete all versions
+ s3 rb empty => 0 removed bucket empty
# s3 bucket remove
! s3 bucket remove nobucket => 1 ${NO_BUCKET}
= - the same as rb
+ - the same as rb
`;
