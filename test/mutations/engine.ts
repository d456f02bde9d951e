/** Mutations of the engine's authorization checks. Each weakens one check. */

import { defined } from '../../src/base/defined.ts';
import type { Mutation } from './mutation.ts';

type Row = readonly [
  rule: string,
  from: string,
  to: string,
  condition?: string | undefined,
  calls?: string,
];

/** Creates mutations of one file. `calls` limits the test cases of all rows, unless a row has its own. */
const inFile = (file: string, calls: string | undefined, rows: readonly Row[]): Mutation[] =>
  rows.map(([rule, from, to, condition, own = calls]) => ({
    rule,
    file,
    from,
    to,
    focus: defined({ condition, calls: own?.split(' ') }),
  }));

const COMMANDS = 'engine/commands';

export const ENGINE_MUTATIONS: readonly Mutation[] = [
  ...inFile('engine/access.ts', 'get delete getTags listParts', [
    ['what is not allowed is denied', 'if (!allowed) throw denied(wish, by)', ''],
    [
      'a policy is asked about what is requested',
      'const conditions = new RequestValues({ caller, asked, version',
      'const conditions = new RequestValues({ caller, version',
      's3:',
    ],
    [
      'also of a bucket',
      'conditions: new RequestValues({ caller, asked })',
      'conditions: new RequestValues({ caller })',
      's3:prefix',
      'list listVersions',
    ],
    [
      'a policy is asked about the tags of the version',
      'asked, version: () => object.version })',
      'asked })',
      'ExistingObjectTag',
      'get',
    ],
    [
      'what is missing is told to who may list',
      '? decideMissing(question)',
      '? decideAccess(question)',
    ],
    [
      'a delete marker is nothing to who names no version',
      "found?.isDeleteMarker === 0 || action.includes('Version')",
      'true',
    ],
    [
      'and a version to who does',
      "found?.isDeleteMarker === 0 || action.includes('Version')",
      'found?.isDeleteMarker === 0',
    ],
    [
      'an upload is of who began it',
      'this.#wish.upload?.owner ?? this.version?.owner',
      'this.version?.owner',
      undefined,
      'listParts',
    ],
    [
      'an object is of who put it',
      'this.#wish.upload?.owner ?? this.version?.owner',
      'this.#wish.upload?.owner',
    ],
    [
      'an object has its own list',
      'return parseAcl(this.version?.acl ?? null)',
      'return undefined',
    ],
  ]),
  ...inFile('engine/bucket-access.ts', 'get list putAcl', [
    ['a bucket has its list', 'return parseAcl(this.#row.acl)', 'return undefined'],
    ['a bucket has its policy', 'this.#row.policy === null ?', 'true ?'],
    [
      'a bucket has its public access block',
      'return parsePublicAccessBlock(this.#row.publicAccessBlock)',
      'return undefined',
    ],
    [
      'what was read of a policy is of that policy',
      'if (known?.name === name && known.text === text)',
      'if (known?.name === name)',
    ],
  ]),
  ...inFile('engine/write-access.ts', 'put copy', [
    [
      'a part is put, and an upload completed, by who may put',
      'allow(caller, bucket, { action, key, ...about, asked });',
      '',
      undefined,
      'uploadPart completeUpload',
    ],
    ['a put needs PutObject', "allowed({ action: 'PutObject', version: latest })", ''],
    [
      'over what is there',
      "allowed({ action: 'PutObject', version: latest })",
      "allowed({ action: 'PutObject', version: undefined })",
    ],
    [
      'a list needs PutObjectAcl',
      'if (acl !== undefined && !isPrivate(acl)) allowed',
      'if (false) allowed',
    ],
    ['but not the one that there is anyway', '&& !isPrivate(acl)) allowed', ') allowed'],
    ['tags need PutObjectTagging', 'if (tags !== undefined) allowed', 'if (false) allowed'],
    ['a retention needs PutObjectRetention', 'if (lock?.retention) allowed', 'if (false) allowed'],
    [
      'a hold needs PutObjectLegalHold',
      'if (lock?.legalHold !== undefined) allowed',
      'if (false) allowed',
    ],
    [
      'a part is put over what is there',
      "action === 'PutObject' ? { version: latest } : { upload }",
      '{ upload }',
      undefined,
      'uploadPart',
    ],
    [
      'policies are told the list by its name',
      "return { 's3:x-amz-acl': acl.canned }",
      'return {}',
      's3:x-amz-acl',
      'put',
    ],
    ['and by its grants', '`id=${grant.grantee}`', '`id=`', 's3:x-amz-grant', 'put'],
    [
      'policies are told the tags',
      '`s3:requestobjecttag/${key}`',
      '`s3:requestobjecttag/x${key}`',
      's3:RequestObjectTag/',
      'put',
    ],
    [
      'and their keys',
      "'s3:requestobjecttagkeys': tags.map(({ key }) => key)",
      "'s3:requestobjecttagkeys': []",
      'RequestObjectTagKeys',
      'put',
    ],
    [
      'policies are told the mode',
      "'s3:object-lock-mode': retention?.mode",
      "'s3:object-lock-mode': undefined",
      'object-lock-mode',
      'put',
    ],
    [
      'and how long it is',
      'String(Math.ceil((retention.retainUntil - now) / DAY_MS))',
      "'0'",
      'remaining',
      'put',
    ],
    ['and whether it is held', "legalHold ? 'ON' : 'OFF'", "'OFF'", 'legal-hold', 'put'],
    [
      'policies are told the source of a copy',
      'source && `${source.bucket}/${source.key}`',
      'undefined',
      'copy-source',
      'copy',
    ],
    [
      'and what becomes of its attributes',
      "source && attributes !== undefined ? 'REPLACE' : ",
      '',
      'metadata-directive',
      'copy',
    ],
  ]),
  ...inFile('engine/condition-values.ts', 'get list', [
    [
      'the tags are those of the version',
      'return tags.find(({ key }) => key === name)?.value',
      'return undefined',
      'ExistingObjectTag',
      'get',
    ],
    [
      'the time is that of the request',
      'new Date(askedAt(caller)).toISOString()',
      'new Date(0).toISOString() && undefined',
      'CurrentTime',
      'get',
    ],
    ['also in seconds', 'String(Math.floor(askedAt(caller) / 1000))', "'-1'", 'EpochTime', 'get'],
    [
      "the address is the caller's",
      "'aws:sourceip': ({ caller }) => caller.sourceIp",
      "'aws:sourceip': () => '127.0.0.1'",
      'SourceIp',
      'get',
    ],
    ['the transport is what it is', 'String(caller.secure)', "'true'", 'SecureTransport', 'get'],
    [
      'the user is the caller',
      "principal.kind === 'user' ? principal.user : undefined",
      "'user'",
      'aws:username',
      'get',
    ],
    [
      'the type tells users from anybody',
      "principal.kind === 'user' ? 'User' : 'Anonymous'",
      "'User'",
      'PrincipalType',
      'get',
    ],
    [
      'who has no id is nobody',
      "return principal.kind === 'user' ? principalId(principal) : undefined",
      'return undefined',
      'userid',
      'get',
    ],
    [
      'a list is asked about by its prefix',
      "'s3:prefix': claimed(prefix),",
      '',
      's3:prefix',
      'list',
    ],
    [
      'and by its length',
      "'s3:max-keys': maxKeys === undefined ? undefined : String(maxKeys)",
      "'s3:max-keys': undefined",
      'max-keys',
      'list',
    ],
  ]),
  ...inFile('engine/read-object.ts', 'get', [
    [
      'a version is read by GetObjectVersion',
      "return versionId === undefined ? 'GetObject' : 'GetObjectVersion'",
      "return 'GetObject'",
    ],
    [
      'an object is read by GetObject',
      "  allow(caller, bucket, { action: 'GetObject', key: request.key, version: row });",
      '',
    ],
    [
      'policies are told the version',
      "const asked = () => ({ 's3:versionid': versionId });\n  allow(",
      'const asked = () => ({});\n  allow(',
      's3:VersionId',
      'get',
    ],
  ]),
  ...inFile('engine/describe-object.ts', 'attributes', [
    [
      'attributes are asked for themselves',
      '    allow(caller, existingBucket(reader, ref.bucket), { action, key, version: row, asked });',
      '',
    ],
  ]),
  ...inFile('engine/read-tags.ts', 'getTags', [
    [
      'tags of a version have a right of their own',
      "ref.versionId === undefined ? 'GetObjectTagging' : 'GetObjectVersionTagging'",
      "'GetObjectTagging'",
    ],
  ]),
  ...inFile('engine/read-locks.ts', 'getRetention getHold', [
    [
      'a retention is read by its right',
      "{ action: 'GetObjectRetention', ref }",
      "{ action: 'GetObject', ref }",
    ],
    [
      'a hold is read by its right',
      "{ action: 'GetObjectLegalHold', ref }",
      "{ action: 'GetObject', ref }",
    ],
  ]),
  ...inFile('engine/bound-access.ts', 'getAcl', [
    [
      'the list of a bucket is told by its right',
      "this.bucket(name, 'GetBucketAcl')",
      "this.bucket(name, 'ListBucketVersions')",
      undefined,
      'getBucketAcl',
    ],
    [
      'a policy by its own',
      "policyOf(this.bucket(bucket, 'GetBucketPolicy'))",
      "policyOf(this.bucket(bucket, 'ListBucketVersions'))",
      undefined,
      'getPolicy',
    ],
    [
      'its status by its own',
      "this.bucket(name, 'GetBucketPolicyStatus')",
      "this.bucket(name, 'ListBucketVersions')",
      undefined,
      'policyStatus',
    ],
    [
      'the block by its own',
      "this.bucket(bucket, 'GetBucketPublicAccessBlock')",
      "this.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getBlock',
    ],
    [
      'the list of a version has a right of its own',
      "versionId === undefined ? 'GetObjectAcl' : 'GetObjectVersionAcl'",
      "'GetObjectAcl'",
    ],
  ]),
  ...inFile('engine/bound-buckets.ts', undefined, [
    [
      'lifecycle rules are put by their right',
      "'PutLifecycleConfiguration';\n    // ",
      "'ListBucketVersions';\n    // ",
      undefined,
      'putLifecycle',
    ],
    [
      'and removed by it',
      "'PutLifecycleConfiguration';\n    return",
      "'ListBucketVersions';\n    return",
      undefined,
      'deleteLifecycle',
    ],
    [
      'lifecycle rules are told by their right',
      "this.bucket(bucket, 'GetLifecycleConfiguration')",
      "this.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getLifecycle',
    ],
    [
      'CORS rules by theirs',
      "this.bucket(bucket, 'GetBucketCORS')",
      "this.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getCors',
    ],
    [
      'and put by theirs',
      "{ action: 'PutBucketCORS', kind: 'cors', document }",
      "{ action: 'ListBucketVersions', kind: 'cors', document }",
      undefined,
      'putCors',
    ],
    [
      'and removed by it',
      "const action = 'PutBucketCORS';",
      "const action = 'ListBucketVersions';",
      undefined,
      'deleteCors',
    ],
    [
      'a website is told by its right',
      "this.bucket(bucket, 'GetBucketWebsite')",
      "this.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getWebsite',
    ],
    [
      'and put by its own',
      "const action = 'PutBucketWebsite';",
      "const action = 'ListBucketVersions';",
      undefined,
      'putWebsite',
    ],
    [
      'and removed by its own',
      "const action = 'DeleteBucketWebsite';",
      "const action = 'ListBucketVersions';",
      undefined,
      'deleteWebsite',
    ],
  ]),
  ...inFile('engine/bound-store.ts', 'location listVersions listUploads listParts', [
    [
      'a bucket is looked at by who may list',
      "const row = this.bucket(bucket, 'ListBucket');",
      "const row = this.bucket(bucket, 'ListBucketVersions');",
      undefined,
      'headBucket',
    ],
    [
      'versioning is told by its right',
      "this.bucket(bucket, 'GetBucketVersioning')",
      "this.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getVersioning',
    ],
    [
      'locking by its own',
      "this.bucket(bucket, 'GetBucketObjectLockConfiguration')",
      "this.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getLocking',
    ],
    [
      'tags of a bucket by theirs',
      "this.bucket(bucket, 'GetBucketTagging')",
      "this.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getBucketTags',
    ],
    [
      'and put by theirs',
      "{ action: 'PutBucketTagging', kind: 'tagging', document }",
      "{ action: 'ListBucketVersions', kind: 'tagging', document }",
      undefined,
      'putBucketTags',
    ],
    [
      'and removed by it',
      "['PutBucketTagging', undefined] as const",
      "['ListBucketVersions', undefined] as const",
      undefined,
      'deleteBucketTags',
    ],
    [
      'the place of a bucket is told to who may list',
      "by.kind === 'nothing' ? 'ListBucket' : 'GetBucketLocation'",
      "'GetBucketLocation'",
    ],
    [
      'versions are listed by ListBucketVersions',
      "this.bucket(request.bucket, 'ListBucketVersions', { asked })",
      "this.bucket(request.bucket, 'ListBucket', { asked })",
    ],
    [
      'uploads are listed by their right',
      "this.bucket(request.bucket, 'ListBucketMultipartUploads', { asked })",
      "this.bucket(request.bucket, 'ListBucket', { asked })",
    ],
    [
      'parts are listed by their right',
      "this.upload(request, 'ListMultipartUploadParts')",
      "this.upload(request, 'PutObject')",
    ],
  ]),
  ...inFile(`${COMMANDS}/copy-object.ts`, 'copy', [
    [
      'a source is read by GetObject',
      '  allow(caller, bucket, { action, key: source.key, version: found, asked });',
      '',
    ],
    [
      'a version of it by GetObjectVersion',
      "source.versionId === undefined ? 'GetObject' : 'GetObjectVersion'",
      "'GetObject'",
    ],
    [
      'policies are told its version',
      "const asked = () => ({ 's3:versionid': source.versionId })",
      'const asked = () => ({})',
      's3:VersionId',
      'copy',
    ],
    [
      'tags are copied by who may read them',
      '  allow(caller, from, { action, key, version: source, asked: named });',
      '',
      undefined,
      'copy',
    ],
    [
      'and give them',
      "  allow(caller, to, { action: 'PutObjectTagging', key: request.key, creates: true, asked });",
      '',
    ],
  ]),
  ...inFile(`${COMMANDS}/delete-object.ts`, 'delete', [
    ['an object is deleted by DeleteObject', '  mayDelete(latest);', ''],
    [
      'also the null version below it',
      "if (bucket.versioning === 'Suspended') mayDelete(",
      'if (false) mayDelete(',
    ],
    [
      'a version is deleted by DeleteObjectVersion',
      "{ action: 'DeleteObjectVersion', ...about }",
      "{ action: 'DeleteObject', ...about }",
    ],
    [
      'policies are told which',
      "const asked = () => ({ 's3:versionid': versionId })",
      'const asked = () => ({})',
      's3:VersionId',
      'delete',
    ],
    [
      'a bypass has to be allowed',
      "isAllowed(caller, bucket, { action: 'BypassGovernanceRetention', ...about })",
      'true',
    ],
    ['a bypass has to be asked for', '    bypassGovernance &&\n    isAllowed', '    isAllowed'],
  ]),
  ...inFile(`${COMMANDS}/locks.ts`, 'putRetention putHold', [
    [
      'the default of a bucket is put by its right',
      "action: 'PutBucketObjectLockConfiguration'",
      "action: 'ListBucketVersions'",
      undefined,
      'putLocking',
    ],
    [
      'a retention is put by its right',
      "  allow(caller, bucket, { action: 'PutObjectRetention', ...about });",
      '',
    ],
    [
      'a bypass of it has to be allowed',
      "isAllowed(caller, bucket, { action: 'BypassGovernanceRetention', ...about })",
      'true',
      undefined,
      'putRetention',
    ],
    [
      'a hold is put by its right',
      "  allow(context.caller, bucket, { action: 'PutObjectLegalHold', ...about });",
      '',
    ],
    [
      'a hold takes full privileges',
      '  checkLegalHoldRight(unlockContext(context, bucket, false));',
      '',
    ],
    [
      'policies are told what is put',
      '...askedOfLock(lock, trustedNow),',
      '',
      'object-lock',
      'putRetention putHold',
    ],
  ]),
  ...inFile(`${COMMANDS}/version-locks.ts`, 'putHold', [
    ['full privileges are those of the project', '    principal.project === project &&\n', ''],
    ['and of the customer', ' &&\n    principal.customer === customer', ''],
    ['and are needed', '    principal.fullAccess &&\n', ''],
  ]),
  ...inFile(`${COMMANDS}/multipart.ts`, 'abortUpload', [
    [
      'an upload is aborted by its right',
      "usableUpload(tables, request, context, 'AbortMultipartUpload')",
      "usableUpload(tables, request, context, 'PutObject')",
    ],
  ]),
  ...inFile(`${COMMANDS}/tags.ts`, 'putTags deleteTags', [
    [
      'tags are put by their right',
      "put: { current: 'PutObjectTagging'",
      "put: { current: 'DeleteObjectTagging'",
    ],
    [
      'those of a version by theirs',
      "version: 'PutObjectVersionTagging'",
      "version: 'PutObjectTagging'",
    ],
    [
      'tags are deleted by their right',
      "delete: { current: 'DeleteObjectTagging'",
      "delete: { current: 'PutObjectTagging'",
    ],
    [
      'those of a version by theirs',
      "version: 'DeleteObjectVersionTagging'",
      "version: 'DeleteObjectTagging'",
    ],
    ['policies are told them', '...askedOfTags(tags),', '', 'RequestObjectTag', 'putTags'],
  ]),
  ...inFile(`${COMMANDS}/access.ts`, 'putAcl putBucketAcl putPolicy deletePolicy putBlock', [
    [
      'a list is put by its right',
      "versionId === undefined ? 'PutObjectAcl' : 'PutObjectVersionAcl'",
      "'PutObjectAcl'",
    ],
    [
      'policies are told what is put on an object',
      'defined({ ...askedOfAcl(acl), ',
      'defined({ ',
      'x-amz',
      'putAcl',
    ],
    [
      'and on a bucket',
      'const asked = () => askedOfAcl(acl)',
      'const asked = () => ({})',
      'x-amz',
      'putBucketAcl',
    ],
    [
      'a policy is deleted by its right',
      "policy === undefined ? 'DeleteBucketPolicy' : 'PutBucketPolicy'",
      "'PutBucketPolicy'",
    ],
    [
      'public policies can be blocked',
      'if (isPublic && new RowAccess',
      'if (false && new RowAccess',
    ],
    [
      'and only public ones',
      'if (isPublic && new RowAccess',
      'if (policy !== undefined && new RowAccess',
    ],
    [
      'the block is put by its right',
      "action: 'PutBucketPublicAccessBlock'",
      "action: 'PutBucketPolicy'",
    ],
  ]),
  ...inFile(`${COMMANDS}/buckets.ts`, 'putVersioning deleteBucket', [
    [
      'versioning is put by its right',
      "{ action: 'PutBucketVersioning' }",
      "{ action: 'PutBucketTagging' }",
    ],
    [
      'a bucket is deleted by its right',
      "{ action: 'DeleteBucket' }",
      "{ action: 'PutBucketTagging' }",
    ],
  ]),
  ...inFile(`${COMMANDS}/put-version.ts`, 'get getAcl', [
    ['what is put is of who puts it', "principal.kind === 'user' ? principal : bucket", 'bucket'],
    ['a list is kept', 'acl: keptAcl(acl, bucket, owner)', 'acl: null'],
  ]),
  ...inFile('object-store/rules/access/requested-acl.ts', 'get put putAcl putBucketAcl list', [
    ['public lists can be blocked', '!block?.blockPublicAcls ||', 'true ||'],
    ['and only public ones', '!isPublicAcl(grants)', 'grants === undefined'],
    [
      'grants are kept',
      'if (owner === undefined || owner === owners.owner) return grants',
      'if (owner === undefined || owner === owners.owner) return undefined',
    ],
    [
      'a list with a name is kept',
      "request.canned === 'private' ? undefined :",
      'request.canned ? undefined :',
    ],
  ]),
  ...inFile('object-store/rules/access/canned-acl.ts', 'get list put', [
    [
      'public-read',
      "'public-read': [['AllUsers', 'READ']]",
      "'public-read': [['AuthenticatedUsers', 'READ']]",
    ],
    [
      'public-read-write: read',
      "'public-read-write': [\n    ['AllUsers', 'READ'],\n",
      "'public-read-write': [\n",
    ],
    [
      'public-read-write: write',
      "    ['AllUsers', 'WRITE'],\n",
      "    ['AuthenticatedUsers', 'WRITE'],\n",
    ],
    [
      'authenticated-read',
      "'authenticated-read': [['AuthenticatedUsers', 'READ']]",
      "'authenticated-read': [['AllUsers', 'READ']]",
    ],
    [
      'bucket-owner-read',
      "'bucket-owner-read': [['BucketOwner', 'READ']]",
      "'bucket-owner-read': []",
    ],
    [
      'bucket-owner-full-control',
      "'bucket-owner-full-control': [['BucketOwner', 'FULL_CONTROL']]",
      "'bucket-owner-full-control': [['BucketOwner', 'READ']]",
      undefined,
      'getAcl putAcl',
    ],
    [
      'the owner of the bucket, not everyone',
      'return [{ grantee: bucketOwner, permission }]',
      "return [{ grantee: 'AllUsers', permission }]",
    ],
  ]),
];
