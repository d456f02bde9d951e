/** Mutations of the engine's authorization checks. Each mutation weakens one check. */

import { defined } from '../../src/base/defined.ts';
import type { Mutation } from './mutation.ts';

type Row = readonly [
  rule: string,
  from: string,
  to: string,
  condition?: string | undefined,
  calls?: string,
];

/**
 * Creates the mutations of one file. `calls` limits the generated test cases of each row that has
 * no limit of its own.
 */
const inFile = (file: string, calls: string | undefined, rows: readonly Row[]): Mutation[] =>
  rows.map(([rule, from, to, condition, own = calls]) => ({
    rule,
    file,
    from,
    to,
    focus: defined({ condition, calls: own?.split(' ') }),
  }));

const COMMANDS = 'engine/writes/commands';

export const ENGINE_MUTATIONS: readonly Mutation[] = [
  ...inFile('engine/access/access.ts', 'get delete getTags listParts', [
    ['a request without permission is denied', 'if (!allowed) throw denied(request, by)', ''],
    [
      'a policy condition can use the values of an object request',
      'const conditions = new RequestValues({ caller, asked, version',
      'const conditions = new RequestValues({ caller, version',
      's3:',
    ],
    [
      'a policy condition can use the values of a bucket request',
      'conditions: new RequestValues({ caller, asked })',
      'conditions: new RequestValues({ caller })',
      's3:prefix',
      'list listVersions',
    ],
    [
      'a policy condition can use the tags of the version',
      'asked, version: () => object.version })',
      'asked })',
      'ExistingObjectTag',
      'get',
    ],
    [
      'a caller that may list the bucket learns that an object does not exist',
      '? decideMissing(question)',
      '? decideAccess(question)',
    ],
    [
      'a delete marker counts as a missing object if the request names no version',
      "found?.isDeleteMarker === 0 || action.includes('Version')",
      'true',
    ],
    [
      'a delete marker counts as a version if the request names it',
      "found?.isDeleteMarker === 0 || action.includes('Version')",
      'found?.isDeleteMarker === 0',
    ],
    [
      'the owner of a multipart upload is the user who created it',
      'this.#request.upload?.owner ?? this.version?.owner',
      'this.version?.owner',
      undefined,
      'listParts',
    ],
    [
      'the owner of an object is the user who stored it',
      'this.#request.upload?.owner ?? this.version?.owner',
      'this.#request.upload?.owner',
    ],
    [
      'the permission check of an object uses its own ACL',
      'return parseAcl(this.version?.acl ?? null)',
      'return undefined',
    ],
  ]),
  ...inFile('engine/access/bucket-access.ts', 'get list putAcl', [
    [
      'the permission check of a bucket uses its ACL',
      'return parseAcl(this.#row.acl)',
      'return undefined',
    ],
    ['the permission check of a bucket uses its policy', 'this.#row.policy === null ?', 'true ?'],
    [
      'the permission check of a bucket uses its public access block',
      'return parsePublicAccessBlock(this.#row.publicAccessBlock)',
      'return undefined',
    ],
    [
      'the cache of parsed policies notices a changed policy',
      'if (known?.name === name && known.text === text)',
      'if (known?.name === name)',
    ],
  ]),
  ...inFile('engine/access/write-access.ts', 'put copy', [
    [
      'UploadPart and CompleteMultipartUpload require PutObject',
      'allow(caller, bucket, { action, key, ...about, asked });',
      '',
      undefined,
      'uploadPart completeUpload',
    ],
    [
      'storing an object requires PutObject',
      "allowed({ action: 'PutObject', version: latest })",
      '',
    ],
    [
      'the check of PutObject includes the existing version',
      "allowed({ action: 'PutObject', version: latest })",
      "allowed({ action: 'PutObject', version: undefined })",
    ],
    [
      'storing an object with an ACL requires PutObjectAcl',
      'if (acl !== undefined && !isPrivate(acl)) allowed',
      'if (false) allowed',
    ],
    [
      'storing an object with the private ACL does not require PutObjectAcl',
      '&& !isPrivate(acl)) allowed',
      ') allowed',
    ],
    [
      'storing an object with tags requires PutObjectTagging',
      'if (tags !== undefined) allowed',
      'if (false) allowed',
    ],
    [
      'storing an object with a retention requires PutObjectRetention',
      'if (lock?.retention) allowed',
      'if (false) allowed',
    ],
    [
      'storing an object with a legal hold requires PutObjectLegalHold',
      'if (lock?.legalHold !== undefined) allowed',
      'if (false) allowed',
    ],
    [
      'the check of UploadPart includes the existing version',
      "action === 'PutObject' ? { version: latest } : { upload }",
      '{ upload }',
      undefined,
      'uploadPart',
    ],
    [
      's3:x-amz-acl contains the canned ACL of the request',
      "return { 's3:x-amz-acl': acl.canned }",
      'return {}',
      's3:x-amz-acl',
      'put',
    ],
    [
      's3:x-amz-grant keys contain the grants of the request',
      '`id=${grant.grantee}`',
      '`id=`',
      's3:x-amz-grant',
      'put',
    ],
    [
      's3:RequestObjectTag contains the tags of the request',
      '`s3:requestobjecttag/${key}`',
      '`s3:requestobjecttag/x${key}`',
      's3:RequestObjectTag/',
      'put',
    ],
    [
      's3:RequestObjectTagKeys contains the tag keys of the request',
      "'s3:requestobjecttagkeys': tags.map(({ key }) => key)",
      "'s3:requestobjecttagkeys': []",
      'RequestObjectTagKeys',
      'put',
    ],
    [
      's3:object-lock-mode contains the retention mode of the request',
      "'s3:object-lock-mode': retention?.mode",
      "'s3:object-lock-mode': undefined",
      'object-lock-mode',
      'put',
    ],
    [
      's3:object-lock-remaining-retention-days contains the days of the requested retention',
      'String(Math.ceil((retention.retainUntil - now) / DAY_MS))',
      "'0'",
      'remaining',
      'put',
    ],
    [
      's3:object-lock-legal-hold contains the legal hold of the request',
      "legalHold ? 'ON' : 'OFF'",
      "'OFF'",
      'legal-hold',
      'put',
    ],
    [
      's3:x-amz-copy-source contains the source of a copy',
      'source && `${source.bucket}/${source.key}`',
      'undefined',
      'copy-source',
      'copy',
    ],
    [
      's3:x-amz-metadata-directive contains the metadata directive of a copy',
      "source && attributes !== undefined ? 'REPLACE' : ",
      '',
      'metadata-directive',
      'copy',
    ],
  ]),
  ...inFile('engine/access/condition-values.ts', 'get list', [
    [
      's3:ExistingObjectTag contains the tags of the version',
      'return tags.find(({ key }) => key === name)?.value',
      'return undefined',
      'ExistingObjectTag',
      'get',
    ],
    [
      'aws:CurrentTime is the time of the request',
      'new Date(askedAt(caller)).toISOString()',
      'new Date(0).toISOString() && undefined',
      'CurrentTime',
      'get',
    ],
    [
      'aws:EpochTime is the time of the request in seconds',
      'String(Math.floor(askedAt(caller) / 1000))',
      "'-1'",
      'EpochTime',
      'get',
    ],
    [
      'aws:SourceIp is the address of the caller',
      "'aws:sourceip': ({ caller }) => caller.sourceIp",
      "'aws:sourceip': () => '127.0.0.1'",
      'SourceIp',
      'get',
    ],
    [
      'aws:SecureTransport says whether the request uses TLS',
      'String(caller.secure)',
      "'true'",
      'SecureTransport',
      'get',
    ],
    [
      'aws:username is the user name of the caller',
      "principal.kind === 'user' ? principal.user : undefined",
      "'user'",
      'aws:username',
      'get',
    ],
    [
      'aws:PrincipalType distinguishes users from anonymous callers',
      "principal.kind === 'user' ? 'User' : 'Anonymous'",
      "'User'",
      'PrincipalType',
      'get',
    ],
    [
      'aws:userid is the ID of the calling user',
      "return principal.kind === 'user' ? principalId(principal) : undefined",
      'return undefined',
      'userid',
      'get',
    ],
    [
      's3:prefix contains the prefix of a listing',
      "'s3:prefix': comparedPart(prefix),",
      '',
      's3:prefix',
      'list',
    ],
    [
      's3:max-keys contains the maximum number of keys of a listing',
      "'s3:max-keys': maxKeys === undefined ? undefined : String(maxKeys)",
      "'s3:max-keys': undefined",
      'max-keys',
      'list',
    ],
  ]),
  ...inFile('engine/reads/read-object.ts', 'get', [
    [
      'reading a version by its ID requires GetObjectVersion',
      "return versionId === undefined ? 'GetObject' : 'GetObjectVersion'",
      "return 'GetObject'",
    ],
    [
      'reading an object requires GetObject',
      "  allow(caller, bucket, { action: 'GetObject', key: request.key, version: row });",
      '',
    ],
    [
      's3:VersionId contains the version that a read names',
      "const asked = () => ({ 's3:versionid': versionId });\n  allow(",
      'const asked = () => ({});\n  allow(',
      's3:VersionId',
      'get',
    ],
  ]),
  ...inFile('engine/reads/describe-object.ts', 'attributes', [
    [
      'GetObjectAttributes checks its own permission',
      '    allow(caller, existingBucket(reader, ref.bucket), { action, key, version: row, asked });',
      '',
    ],
  ]),
  ...inFile('engine/reads/read-tags.ts', 'getTags', [
    [
      'reading the tags of a version by its ID requires GetObjectVersionTagging',
      "ref.versionId === undefined ? 'GetObjectTagging' : 'GetObjectVersionTagging'",
      "'GetObjectTagging'",
    ],
  ]),
  ...inFile('engine/reads/read-locks.ts', 'getRetention getHold', [
    [
      'reading a retention requires GetObjectRetention',
      "{ action: 'GetObjectRetention', ref }",
      "{ action: 'GetObject', ref }",
    ],
    [
      'reading a legal hold requires GetObjectLegalHold',
      "{ action: 'GetObjectLegalHold', ref }",
      "{ action: 'GetObject', ref }",
    ],
  ]),
  ...inFile('engine/roles/access-control.ts', 'getAcl', [
    [
      'reading the ACL of a bucket requires GetBucketAcl',
      "this.#context.bucket(name, 'GetBucketAcl')",
      "this.#context.bucket(name, 'ListBucketVersions')",
      undefined,
      'getBucketAcl',
    ],
    [
      'reading a bucket policy requires GetBucketPolicy',
      "policyOf(this.#context.bucket(bucket, 'GetBucketPolicy'))",
      "policyOf(this.#context.bucket(bucket, 'ListBucketVersions'))",
      undefined,
      'getPolicy',
    ],
    [
      'reading the policy status requires GetBucketPolicyStatus',
      "this.#context.bucket(name, 'GetBucketPolicyStatus')",
      "this.#context.bucket(name, 'ListBucketVersions')",
      undefined,
      'policyStatus',
    ],
    [
      'reading the public access block requires GetBucketPublicAccessBlock',
      "this.#context.bucket(bucket, 'GetBucketPublicAccessBlock')",
      "this.#context.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getBlock',
    ],
    [
      'reading the ACL of a version by its ID requires GetObjectVersionAcl',
      "versionId === undefined ? 'GetObjectAcl' : 'GetObjectVersionAcl'",
      "'GetObjectAcl'",
    ],
  ]),
  ...inFile('engine/roles/bucket-documents.ts', undefined, [
    [
      'storing lifecycle rules requires PutLifecycleConfiguration',
      "'PutLifecycleConfiguration';\n    // ",
      "'ListBucketVersions';\n    // ",
      undefined,
      'putLifecycle',
    ],
    [
      'deleting lifecycle rules requires PutLifecycleConfiguration',
      "'PutLifecycleConfiguration';\n    return",
      "'ListBucketVersions';\n    return",
      undefined,
      'deleteLifecycle',
    ],
    [
      'reading lifecycle rules requires GetLifecycleConfiguration',
      "this.#context.bucket(bucket, 'GetLifecycleConfiguration')",
      "this.#context.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getLifecycle',
    ],
    [
      'reading CORS rules requires GetBucketCORS',
      "this.#context.bucket(bucket, 'GetBucketCORS')",
      "this.#context.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getCors',
    ],
    [
      'storing CORS rules requires PutBucketCORS',
      "{ action: 'PutBucketCORS', kind: 'cors', document }",
      "{ action: 'ListBucketVersions', kind: 'cors', document }",
      undefined,
      'putCors',
    ],
    [
      'deleting CORS rules requires PutBucketCORS',
      "const action = 'PutBucketCORS';",
      "const action = 'ListBucketVersions';",
      undefined,
      'deleteCors',
    ],
    [
      'reading a website configuration requires GetBucketWebsite',
      "this.#context.bucket(bucket, 'GetBucketWebsite')",
      "this.#context.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getWebsite',
    ],
    [
      'storing a website configuration requires PutBucketWebsite',
      "const action = 'PutBucketWebsite';",
      "const action = 'ListBucketVersions';",
      undefined,
      'putWebsite',
    ],
    [
      'deleting a website configuration requires DeleteBucketWebsite',
      "const action = 'DeleteBucketWebsite';",
      "const action = 'ListBucketVersions';",
      undefined,
      'deleteWebsite',
    ],
  ]),
  ...inFile('engine/roles/bucket-admin.ts', 'location', [
    [
      'HeadBucket requires ListBucket',
      "const row = this.#context.bucket(bucket, 'ListBucket');",
      "const row = this.#context.bucket(bucket, 'ListBucketVersions');",
      undefined,
      'headBucket',
    ],
    [
      'reading the versioning state requires GetBucketVersioning',
      "this.#context.bucket(bucket, 'GetBucketVersioning')",
      "this.#context.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getVersioning',
    ],
    [
      'a caller with ListBucket may also read the location of the bucket',
      "by.kind === 'nothing' ? 'ListBucket' : 'GetBucketLocation'",
      "'GetBucketLocation'",
    ],
  ]),
  ...inFile('engine/roles/object-locks.ts', undefined, [
    [
      'reading the Object Lock configuration requires GetBucketObjectLockConfiguration',
      "this.#context.bucket(bucket, 'GetBucketObjectLockConfiguration')",
      "this.#context.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getLocking',
    ],
  ]),
  ...inFile('engine/roles/object-tags.ts', undefined, [
    [
      'reading the tags of a bucket requires GetBucketTagging',
      "this.#context.bucket(bucket, 'GetBucketTagging')",
      "this.#context.bucket(bucket, 'ListBucketVersions')",
      undefined,
      'getBucketTags',
    ],
    [
      'storing the tags of a bucket requires PutBucketTagging',
      "action: 'PutBucketTagging'",
      "action: 'ListBucketVersions'",
      undefined,
      'putBucketTags',
    ],
    [
      'deleting the tags of a bucket requires PutBucketTagging',
      "['PutBucketTagging', undefined] as const",
      "['ListBucketVersions', undefined] as const",
      undefined,
      'deleteBucketTags',
    ],
  ]),
  ...inFile('engine/roles/object-reader.ts', 'listVersions', [
    [
      'listing versions requires ListBucketVersions',
      "this.#context.bucket(request.bucket, 'ListBucketVersions', { asked })",
      "this.#context.bucket(request.bucket, 'ListBucket', { asked })",
    ],
  ]),
  ...inFile('engine/roles/multipart-uploads.ts', 'listUploads listParts', [
    [
      'listing multipart uploads requires ListBucketMultipartUploads',
      "this.#context.bucket(request.bucket, 'ListBucketMultipartUploads'",
      "this.#context.bucket(request.bucket, 'ListBucket'",
    ],
    [
      'listing parts requires ListMultipartUploadParts',
      "this.#context.upload(request, 'ListMultipartUploadParts')",
      "this.#context.upload(request, 'PutObject')",
    ],
  ]),
  ...inFile(`${COMMANDS}/copy-object.ts`, 'copy', [
    [
      'reading the source of a copy requires GetObject',
      '  allow(caller, bucket, { action, key: source.key, version: found, asked });',
      '',
    ],
    [
      'reading a version as the source of a copy requires GetObjectVersion',
      "source.versionId === undefined ? 'GetObject' : 'GetObjectVersion'",
      "'GetObject'",
    ],
    [
      's3:VersionId contains the version of the copy source',
      "const asked = () => ({ 's3:versionid': source.versionId })",
      'const asked = () => ({})',
      's3:VersionId',
      'copy',
    ],
    [
      'copying the tags of an object requires permission to read them',
      '  allow(caller, from, { action, key, version: source, asked: named });',
      '',
      undefined,
      'copy',
    ],
    [
      'copying the tags of an object requires PutObjectTagging for the copy',
      "  allow(caller, to, { action: 'PutObjectTagging', key: request.key, creates: true, asked });",
      '',
    ],
  ]),
  ...inFile(`${COMMANDS}/delete-object.ts`, 'delete', [
    ['deleting an object requires DeleteObject', '  mayDelete(latest);', ''],
    [
      'deleting the null version in a suspended bucket requires permission',
      "if (bucket.versioning === 'Suspended') mayDelete(",
      'if (false) mayDelete(',
    ],
    [
      'deleting a version by its ID requires DeleteObjectVersion',
      "{ action: 'DeleteObjectVersion', ...about }",
      "{ action: 'DeleteObject', ...about }",
    ],
    [
      's3:VersionId contains the version that a deletion names',
      "const asked = () => ({ 's3:versionid': versionId })",
      'const asked = () => ({})',
      's3:VersionId',
      'delete',
    ],
    [
      'deleting a retained version requires BypassGovernanceRetention',
      "isAllowed(caller, bucket, { action: 'BypassGovernanceRetention', ...about })",
      'true',
    ],
    [
      'a deletion bypasses a retention only if the request asks for it',
      '    bypassGovernance &&\n    isAllowed',
      '    isAllowed',
    ],
  ]),
  ...inFile(`${COMMANDS}/locks.ts`, 'putRetention putHold', [
    [
      'storing the default retention requires PutBucketObjectLockConfiguration',
      "action: 'PutBucketObjectLockConfiguration'",
      "action: 'ListBucketVersions'",
      undefined,
      'putLocking',
    ],
    [
      'storing a retention requires PutObjectRetention',
      "  allow(caller, bucket, { action: 'PutObjectRetention', ...about });",
      '',
    ],
    [
      'shortening a retention requires BypassGovernanceRetention',
      "isAllowed(caller, bucket, { action: 'BypassGovernanceRetention', ...about })",
      'true',
      undefined,
      'putRetention',
    ],
    [
      'storing a legal hold requires PutObjectLegalHold',
      "  allow(context.caller, bucket, { action: 'PutObjectLegalHold', ...about });",
      '',
    ],
    [
      'lifting a legal hold requires a key with full access',
      '  checkLegalHoldPermission(unlockContext(context, bucket, false));',
      '',
    ],
    [
      'policy conditions can use the retention or legal hold of the request',
      '...askedOfLock(lock, trustedNow),',
      '',
      'object-lock',
      'putRetention putHold',
    ],
  ]),
  ...inFile(`${COMMANDS}/version-locks.ts`, 'putHold', [
    [
      'full access applies only in the project of the caller',
      '    principal.project === project &&\n',
      '',
    ],
    [
      'full access applies only to the customer of the caller',
      ' &&\n    principal.customer === customer',
      '',
    ],
    [
      'a caller has full access only with a key that has full access',
      '    principal.fullAccess &&\n',
      '',
    ],
  ]),
  ...inFile(`${COMMANDS}/multipart.ts`, 'abortUpload', [
    [
      'aborting a multipart upload requires AbortMultipartUpload',
      "usableUpload(tables, request, context, 'AbortMultipartUpload')",
      "usableUpload(tables, request, context, 'PutObject')",
    ],
  ]),
  ...inFile(`${COMMANDS}/tags.ts`, 'putTags deleteTags', [
    [
      'storing tags requires PutObjectTagging',
      "put: { current: 'PutObjectTagging'",
      "put: { current: 'DeleteObjectTagging'",
    ],
    [
      'storing the tags of a version by its ID requires PutObjectVersionTagging',
      "version: 'PutObjectVersionTagging'",
      "version: 'PutObjectTagging'",
    ],
    [
      'deleting tags requires DeleteObjectTagging',
      "delete: { current: 'DeleteObjectTagging'",
      "delete: { current: 'PutObjectTagging'",
    ],
    [
      'deleting the tags of a version by its ID requires DeleteObjectVersionTagging',
      "version: 'DeleteObjectVersionTagging'",
      "version: 'DeleteObjectTagging'",
    ],
    [
      'policy conditions can use the tags that are stored',
      '...askedOfTags(tags),',
      '',
      'RequestObjectTag',
      'putTags',
    ],
  ]),
  ...inFile(`${COMMANDS}/access.ts`, 'putAcl putBucketAcl putPolicy deletePolicy putBlock', [
    [
      'storing the ACL of a version by its ID requires PutObjectVersionAcl',
      "versionId === undefined ? 'PutObjectAcl' : 'PutObjectVersionAcl'",
      "'PutObjectAcl'",
    ],
    [
      'policy conditions can use the ACL that is stored for an object',
      'defined({ ...askedOfAcl(acl), ',
      'defined({ ',
      'x-amz',
      'putAcl',
    ],
    [
      'policy conditions can use the ACL that is stored for a bucket',
      'const asked = () => askedOfAcl(acl)',
      'const asked = () => ({})',
      'x-amz',
      'putBucketAcl',
    ],
    [
      'deleting a bucket policy requires DeleteBucketPolicy',
      "policy === undefined ? 'DeleteBucketPolicy' : 'PutBucketPolicy'",
      "'PutBucketPolicy'",
    ],
    [
      'BlockPublicPolicy rejects a public policy',
      'if (isPublic && new RowAccess',
      'if (false && new RowAccess',
    ],
    [
      'BlockPublicPolicy accepts a policy that is not public',
      'if (isPublic && new RowAccess',
      'if (policy !== undefined && new RowAccess',
    ],
    [
      'storing the public access block requires PutBucketPublicAccessBlock',
      "action: 'PutBucketPublicAccessBlock'",
      "action: 'PutBucketPolicy'",
    ],
  ]),
  ...inFile(`${COMMANDS}/buckets.ts`, 'putVersioning deleteBucket', [
    [
      'changing the versioning state requires PutBucketVersioning',
      "{ action: 'PutBucketVersioning' }",
      "{ action: 'PutBucketTagging' }",
    ],
    [
      'deleting a bucket requires DeleteBucket',
      "{ action: 'DeleteBucket' }",
      "{ action: 'PutBucketTagging' }",
    ],
  ]),
  ...inFile(`${COMMANDS}/put-version.ts`, 'get getAcl', [
    [
      'the owner of a new object is the user who stores it',
      "principal.kind === 'user' ? principal : bucket",
      'bucket',
    ],
    ['a new object keeps the ACL of its request', 'acl: keptAcl(acl, bucket, owner)', 'acl: null'],
  ]),
  ...inFile('object-store/rules/access/requested-acl.ts', 'get put putAcl putBucketAcl list', [
    ['BlockPublicAcls rejects a public ACL', '!block?.blockPublicAcls ||', 'true ||'],
    [
      'BlockPublicAcls accepts an ACL that is not public',
      '!isPublicAcl(grants)',
      'grants === undefined',
    ],
    [
      'the ACL of a request keeps its grants',
      'if (owner === undefined || owner === owners.owner) return grants',
      'if (owner === undefined || owner === owners.owner) return undefined',
    ],
    [
      'the ACL of a request keeps the grants of a canned ACL',
      "request.canned === 'private' ? undefined :",
      'request.canned ? undefined :',
    ],
  ]),
  ...inFile('object-store/rules/access/canned-acl.ts', 'get list put', [
    [
      'public-read grants READ to AllUsers',
      "'public-read': [['AllUsers', 'READ']]",
      "'public-read': [['AuthenticatedUsers', 'READ']]",
    ],
    [
      'public-read-write grants READ to AllUsers',
      "'public-read-write': [\n    ['AllUsers', 'READ'],\n",
      "'public-read-write': [\n",
    ],
    [
      'public-read-write grants WRITE to AllUsers',
      "    ['AllUsers', 'WRITE'],\n",
      "    ['AuthenticatedUsers', 'WRITE'],\n",
    ],
    [
      'authenticated-read grants READ only to AuthenticatedUsers',
      "'authenticated-read': [['AuthenticatedUsers', 'READ']]",
      "'authenticated-read': [['AllUsers', 'READ']]",
    ],
    [
      'bucket-owner-read grants READ to the bucket owner',
      "'bucket-owner-read': [['BucketOwner', 'READ']]",
      "'bucket-owner-read': []",
    ],
    [
      'bucket-owner-full-control grants FULL_CONTROL to the bucket owner',
      "'bucket-owner-full-control': [['BucketOwner', 'FULL_CONTROL']]",
      "'bucket-owner-full-control': [['BucketOwner', 'READ']]",
      undefined,
      'getAcl putAcl',
    ],
    [
      'the bucket-owner ACLs grant nothing to other users',
      'return [{ grantee: bucketOwner, permission }]',
      "return [{ grantee: 'AllUsers', permission }]",
    ],
  ]),
];
