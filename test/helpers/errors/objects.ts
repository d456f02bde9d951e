/**
 * Error messages 69 to 90, about buckets, objects and other commands. `provoked-errors.test.ts`
 * describes the format.
 */

export const OBJECTS = `
# 69 a version that does not exist
$ s3 rm arch/b --version-id AAAAAAAXXXXXXXXXXXXXXXXXXXXXXXXX --yes
1 holdfast: cannot remove version AAAAAAAXXXXXXXXXXXXXXXXXXXXXXXXX of arch/b: it does not exist
  to list the versions: holdfast s3 versions arch/b
# 70 an invalid version id
$ s3 rm arch/b --version-id garbage --yes
2 holdfast: invalid version id "garbage"
  to list the versions: holdfast s3 versions arch/b
$ s3 get arch/b ./x --version-id garbage
2 holdfast: invalid version id "garbage"
  to list the versions: holdfast s3 versions arch/b
# 71 an object that does not exist
$ s3 get arch/nope ./x
1 holdfast: object "nope" does not exist
  to list the objects: holdfast s3 ls arch/
# 72 removing an object that does not exist
$ s3 rm arch/zzz --yes
1 holdfast: cannot remove arch/zzz: the object does not exist, or is deleted already
  to list what exists: holdfast s3 ls arch/; to add a delete marker all the same: --force
# 73 removing a version under a GOVERNANCE retention
$ s3 rm vault/a --version-id $GOVERNED --yes
1 holdfast: cannot remove the version: forbidden by object lock, GOVERNANCE until TIME, unless governance is bypassed (--bypass-governance)
# 74 removing a version under a COMPLIANCE retention
$ s3 rm vault/c --version-id $COMPLIANT --yes
1 holdfast: cannot remove the version: forbidden by object lock, COMPLIANCE until TIME: no user can remove it before then
# 75 shortening a COMPLIANCE retention
$ lock retention set vault/c --for 1h --mode COMPLIANCE --yes
1 holdfast: cannot change the retention: forbidden by object lock, COMPLIANCE until TIME: the retention can only be extended (holdfast lock retention extend)
# 76 removing the bucket of a job
$ s3 rb docs --yes
1 holdfast: cannot remove bucket docs: job docs keeps the backup of FOLDER/docs in docs/
  Remove the job first: holdfast job remove docs
# 77 downloading an object over an existing file
$ s3 get docs/plan.md
1 holdfast: cannot write FOLDER/plan.md: the file exists already
  name another one: holdfast s3 get docs/plan.md FILE
# 78 a quota that is exceeded
$ s3 quota set arch --bytes 1
0 arch: 24 B of 1 B, set here
arch: 2 of 50,000,000 objects
$ s3 put ./there arch/more
1 holdfast: cannot write to the bucket: it would have 36 bytes; its quota is 1
  to raise the quota: holdfast s3 quota set BUCKET --bytes SIZE --objects COUNT
# 79 a duration that cannot be parsed
$ s3 link docs/plan.md --expires banana
2 holdfast: invalid duration "banana"
  write 30m, 24h or 7d
$ s3 link docs/plan.md --expires 0
2 holdfast: invalid duration "0": the minimum is 1s
  write 30m, 24h or 7d: --expires 24h
# 80 a presigned URL with too long a validity
$ s3 link docs/plan.md --expires 30d
2 holdfast: invalid duration "30d": the maximum is 7d
  write 7d or less
# 81 a presigned URL that has expired
@ docs/plan.md
403 <?xml version="1.0" encoding="UTF-8"?>
<Error><Code>AccessDenied</Code><Message>Request has expired.</Message><X-Amz-Expires>1</X-Amz-Expires><Expires>TIME</Expires><ServerTime>TIME</ServerTime><BucketName>docs</BucketName><Key>plan.md</Key><RequestId>ID</RequestId><HostId>holdfast</HostId></Error>
# 82 reading an encrypted object without its key
$ s3 get arch/secret ./s
1 holdfast: the object is encrypted under a key of its owner, which was not given
  give the file of the key of the object: --key-file FILE
# 83 reading an encrypted object with another key
$ s3 get arch/secret ./s --key-file ./k2
1 holdfast: the object is encrypted under another key
  give the file of the key that the object was stored with: --key-file FILE
# 84 encrypting an object that is already encrypted
$ s3 encrypt object arch/secret --key-file ./k1
1 holdfast: cannot encrypt arch/secret: it is encrypted already
  to change its key: holdfast s3 encrypt rotate arch/secret --key-file OLD --new-key-file NEW
# 85 an undo of a file without an older version
$ undo ./docs/never.txt
1 holdfast: cannot undo never.txt: it has no older version
  to list the stored versions and their dates: holdfast s3 versions 'docs/'
# 86 an undo to a time before the file existed
$ undo ./docs/plan.md --at '2 days ago'
1 holdfast: cannot undo plan.md: it did not exist at that time; its first version is from TIME
  to list the stored versions and their dates: holdfast s3 versions 'docs/'
# 87 a cluster without a name
$ cluster create
2 holdfast: cannot create a cluster without a name
  name it: holdfast cluster create NAME, or describe it in a file: --from-file FILE
# 88 explaining an unknown action
$ s3 policy explain Foo docs/plan.md
2 holdfast: unknown action "Foo"
  actions are those of S3 policies, such as GetObject, PutObject and ListBucket
# 89 a service manager that is not available
$ PATH=FOLDER/bin service status
1 holdfast: the service manager does not run here, or this session cannot reach it (Failed to connect to bus: No medium found)
  to run without it: holdfast service run; to reach it, log in as this user at the machine or by ssh, because su and sudo start no session of systemd
# 90 the versions of a local path and of an unknown bucket
$ s3 versions Papers/gone.md
1 holdfast: bucket Papers does not exist; Papers/gone.md is a local path of job letters
  to name the path: FOLDER/Papers/gone.md
$ s3 versions nobucket/a
1 holdfast: bucket nobucket does not exist
  \`holdfast s3 ls\` lists the buckets, \`holdfast s3 mb nobucket\` creates one
`;
