/** Lists the contract tests that radosgw 16.2 fails. Each group of tests has a reason. */

interface Difference {
  /** Test suite that contains the titles. Undefined means the contract tests of ObjectStore. */
  readonly suite?: 'mirror';
  /**
   * What radosgw does differently, and which source requires the behaviour that the contract tests.
   */
  readonly reason: string;
  /** True if the tests fail only in some runs. */
  readonly isRace?: true;
  /** Full test titles ("describe > test") without the ids of specification rows. */
  readonly claims: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      'radosgw ignores checksums and trailers: it does not verify, store or return a checksum. The specification requires them (semantics B.11.4, B.13). The SHA-256 of the signature still protects the upload.',
    claims: [
      'CRC32 checksums > the checksum of 0 bytes is calculated on request, and verified if it is stated',
      'CRC32 checksums > the checksum of 1000 bytes is calculated on request, and verified if it is stated',
      'CRC32 checksums > the checksum of 65536 bytes is calculated on request, and verified if it is stated',
      'CRC32 checksums > the checksum of 65537 bytes is calculated on request, and verified if it is stated',
      'CRC32 checksums > the checksum of 307200 bytes is calculated on request, and verified if it is stated',
      'CRC32 checksums > a put with a wrong checksum leaves no trace',
      'CRC32 checksums > a checksum is verified in addition to a stated SHA-256 of the body',
      'CRC32 checksums > a copy calculates the checksum on request',
      'CRC32C checksums > the checksum of 0 bytes is calculated on request, and verified if it is stated',
      'CRC32C checksums > the checksum of 1000 bytes is calculated on request, and verified if it is stated',
      'CRC32C checksums > the checksum of 65536 bytes is calculated on request, and verified if it is stated',
      'CRC32C checksums > the checksum of 65537 bytes is calculated on request, and verified if it is stated',
      'CRC32C checksums > the checksum of 307200 bytes is calculated on request, and verified if it is stated',
      'CRC32C checksums > a put with a wrong checksum leaves no trace',
      'CRC32C checksums > a checksum is verified in addition to a stated SHA-256 of the body',
      'CRC32C checksums > a copy calculates the checksum on request',
      'CRC64NVME checksums > the checksum of 0 bytes is calculated on request, and verified if it is stated',
      'CRC64NVME checksums > the checksum of 1000 bytes is calculated on request, and verified if it is stated',
      'CRC64NVME checksums > the checksum of 65536 bytes is calculated on request, and verified if it is stated',
      'CRC64NVME checksums > the checksum of 65537 bytes is calculated on request, and verified if it is stated',
      'CRC64NVME checksums > the checksum of 307200 bytes is calculated on request, and verified if it is stated',
      'CRC64NVME checksums > a put with a wrong checksum leaves no trace',
      'CRC64NVME checksums > a checksum is verified in addition to a stated SHA-256 of the body',
      'CRC64NVME checksums > a copy calculates the checksum on request',
      'SHA1 checksums > the checksum of 0 bytes is calculated on request, and verified if it is stated',
      'SHA1 checksums > the checksum of 1000 bytes is calculated on request, and verified if it is stated',
      'SHA1 checksums > the checksum of 65536 bytes is calculated on request, and verified if it is stated',
      'SHA1 checksums > the checksum of 65537 bytes is calculated on request, and verified if it is stated',
      'SHA1 checksums > the checksum of 307200 bytes is calculated on request, and verified if it is stated',
      'SHA1 checksums > a put with a wrong checksum leaves no trace',
      'SHA1 checksums > a checksum is verified in addition to a stated SHA-256 of the body',
      'SHA1 checksums > a copy calculates the checksum on request',
      'SHA256 checksums > the checksum of 0 bytes is calculated on request, and verified if it is stated',
      'SHA256 checksums > the checksum of 1000 bytes is calculated on request, and verified if it is stated',
      'SHA256 checksums > the checksum of 65536 bytes is calculated on request, and verified if it is stated',
      'SHA256 checksums > the checksum of 65537 bytes is calculated on request, and verified if it is stated',
      'SHA256 checksums > the checksum of 307200 bytes is calculated on request, and verified if it is stated',
      'SHA256 checksums > a put with a wrong checksum leaves no trace',
      'SHA256 checksums > a checksum is verified in addition to a stated SHA-256 of the body',
      'SHA256 checksums > a copy calculates the checksum on request',
      'checksums > the checksum of a large stream is calculated',
      'checksums > an object put without a checksum gets a calculated checksum',
      'checksums > a checksum belongs to its version',
      'checksums > a copy onto itself changes the checksum algorithm of an object',
      'checksums of multipart uploads > an upload with the checksum algorithm CRC32 and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > an upload with the checksum algorithm CRC32 and the type FULL_OBJECT combines the checksums of its parts',
      'checksums of multipart uploads > an upload with the checksum algorithm CRC32C and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > an upload with the checksum algorithm CRC32C and the type FULL_OBJECT combines the checksums of its parts',
      'checksums of multipart uploads > an upload with the checksum algorithm CRC64NVME and the type FULL_OBJECT combines the checksums of its parts',
      'checksums of multipart uploads > an upload with the checksum algorithm SHA1 and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > an upload with the checksum algorithm SHA256 and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > parts without a checksum get one by the algorithm of their upload',
      'checksums of multipart uploads > an upload without a checksum algorithm gets a full-object checksum',
      'checksums of multipart uploads > an upload rejects parts with another checksum algorithm or a wrong checksum',
      'checksums of multipart uploads > a completion with a wrong checksum or size is rejected, and the upload remains open',
      'checksums of multipart uploads > creating an upload with {"checksumType":"FULL_OBJECT"} is rejected',
      'checksums of multipart uploads > creating an upload with {"checksumAlgorithm":"SHA1","checksumType":"FULL_OBJECT"} is rejected',
      'checksums of multipart uploads > creating an upload with {"checksumAlgorithm":"CRC64NVME","checksumType":"COMPOSITE"} is rejected',
      'checksums of multipart uploads > a copy keeps the composite checksum, or calculates a full-object checksum on request',
      'objects encrypted with a customer key > a put with a customer key verifies the SHA-256 and the checksum of the plaintext: 5 bytes',
      'objects encrypted with a customer key > a put with a customer key verifies the SHA-256 and the checksum of the plaintext: 200000 bytes',
    ],
  },
  {
    reason:
      'radosgw 16.2 does not support GetObjectAttributes: it returns the object itself, which the client reports as NotImplemented.',
    claims: [
      'attributes of objects > getObjectAttributes returns the requested attributes only',
      'attributes of objects > getObjectAttributes returns the attributes of the requested version',
      'attributes of objects > getObjectAttributes fails with the same errors as a read',
      'attributes of objects > getObjectAttributes returns the parts and their checksums, also in pages: undefined',
      'attributes of objects > getObjectAttributes returns the parts and their checksums, also in pages: SHA1',
      'attributes of objects > getObjectAttributes omits part checksums if a copy changed the checksum algorithm',
      'bucket policies > GetObjectAttributes requires s3:GetObject and s3:GetObjectAttributes',
      'objects encrypted with a customer key > GetObjectAttributes of an encrypted object succeeds with the key',
    ],
  },
  {
    reason:
      'radosgw ignores partNumber in a read and returns the whole object, which the client reports as NotImplemented. The contract returns the part (semantics B.14).',
    claims: [
      'reads of parts > a read by part number returns the part and its checksum',
      'reads of parts > a read of part 1, which the object does not have, is rejected',
      'reads of parts > a read of part 3, which the object does not have, is rejected',
      'reads of parts > a read of part 10, which the object does not have, is rejected',
      'reads of parts > a read of part 10000, which the object does not have, is rejected',
      'reads of parts > part 1 of an object that was not uploaded in parts is the whole object',
      'reads of parts > part 1 of an empty object is empty',
      'reads of parts > a read of an empty part returns no bytes',
      'reads of parts > a read with a part number and a range fails with InvalidRequest',
      'reads of parts > a read of a part checks its conditions before the part number',
      'multipart uploads with a customer key > an upload with a customer key encrypts its parts, and is completed without the key',
    ],
  },
  {
    reason:
      'A multipart upload loses the retention, the legal hold and the tags that it was created with; only the default retention of the bucket applies (semantics B.4: "data-loss-by-compliance, do not copy").',
    claims: [
      'versions locked by a multipart upload > get and head return the retention and the legal hold of a locked version',
      'versions locked by a multipart upload > a version under governance retention can be removed only with a bypass',
      'versions locked by a multipart upload > a version under compliance retention cannot be removed, even with a bypass',
      'versions locked by a multipart upload > a version under a legal hold cannot be removed, even with a bypass',
      'versions locked by a multipart upload > new versions and delete markers can be added above a locked version, and are not locked',
      'versions locked by a multipart upload > a write with a lock into a bucket without object lock fails with InvalidRequest, and stores nothing',
      'versions locked by a multipart upload > a write with a retention that ends in the past fails with InvalidArgument, and stores nothing',
      'versions written by a multipart upload under a default retention > a retention in the request replaces the default retention, even if it is shorter',
      'versions written by a multipart upload under a default retention > a version written with a legal hold gets the default retention too',
      'tags of objects > a multipart object has the tags of its upload',
      'copies in parts > a copy in parts of a large object keeps bytes, attributes and tags',
    ],
  },
  {
    reason:
      'A copy ignores the retention and the legal hold of the request, and takes those of its source (semantics B.4 requires the opposite). It always takes the tags of the source, whatever the directive is.',
    claims: [
      'versions locked by a copy > get and head return the retention and the legal hold of a locked version',
      'versions locked by a copy > a version under governance retention can be removed only with a bypass',
      'versions locked by a copy > a version under compliance retention cannot be removed, even with a bypass',
      'versions locked by a copy > a version under a legal hold cannot be removed, even with a bypass',
      'versions locked by a copy > new versions and delete markers can be added above a locked version, and are not locked',
      'versions locked by a copy > a write with a lock into a bucket without object lock fails with InvalidRequest, and stores nothing',
      'versions locked by a copy > a write with a retention that ends in the past fails with InvalidArgument, and stores nothing',
      'locks > a copy does not copy the lock of its source',
      'versions written by a copy under a default retention > a retention in the request replaces the default retention, even if it is shorter',
      'versions written by a copy under a default retention > a version written with a legal hold gets the default retention too',
      'tags of objects > a copy has the tags of its source, or those of the request, or none',
    ],
  },
  {
    reason:
      'radosgw ignores conditions of copies, completions and deletes, on the target and on the source (semantics B.14 and B.15 require them). So these writes are not protected.',
    claims: [
      'conditional writes > a copy with If-None-Match: * fails when the target exists',
      'conditional writes > a copy with If-Match compares the ETag of the target, not of the source',
      'conditional writes > a delete with If-Match deletes only the matching object (bucket versioning: Enabled)',
      'conditional writes > a delete with If-Match deletes only the matching object (bucket versioning: undefined)',
      'bulk deletes > a bulk delete checks the conditions of each object',
      'copies > a copy with the source conditions {"ifMatch":["795f3202b17cb6bc3d4b771d8c6c9eaf"]} succeeds: false',
      'copies > a copy with the source conditions {"ifNoneMatch":["1cb251ec0d568de6a929b520c4aed8d1"]} succeeds: false',
      'copies > a copy with the source conditions {"ifUnmodifiedSince":0} succeeds: false',
      'completions of multipart uploads > a completion with If-None-Match: * fails when the key exists, and succeeds when it is retried without the condition',
      'completions of multipart uploads > a completion with If-Match compares the ETag of the current object',
      'completions of multipart uploads > exactly one of 8 parallel completions with If-None-Match: * succeeds',
      'copies in parts > a copy in parts fails if its source was replaced meanwhile, and leaves no object and no upload',
    ],
  },
  {
    reason:
      'A put evaluates If-Match only without quotes, and never in a versioned bucket. The error does not name the condition, and a missing key fails with PreconditionFailed (semantics B.14: NoSuchKey).',
    claims: [
      'conditional writes > a put with If-None-Match: * fails when the key exists',
      'conditional writes > a put with If-Match: 1cb251ec0d568de6a929b520c4aed8d1 replaces that object',
      'conditional writes > a put with If-Match: 1cb251ec0d568de6a929b520c4aed8d1 of a missing key fails with NoSuchKey',
      'conditional writes > a put with If-Match: * of a missing key fails with NoSuchKey',
      'conditional writes > a put with If-Match on a key with a current delete marker fails with NoSuchKey',
      'locks > a put rejected by its condition locks no version',
    ],
  },
  {
    reason:
      'Conditions of puts are evaluated before the body is received, not at the commit (semantics B.14): of parallel puts, several or none succeed.',
    claims: [
      'conditional writes > exactly one of 32 parallel puts of 100 bytes with If-None-Match: * succeeds',
      'conditional writes > exactly one of 32 parallel puts of 102400 bytes with If-None-Match: * succeeds',
      'conditional writes > exactly one of 32 parallel puts with the same ETag in If-Match succeeds',
    ],
  },
  {
    reason:
      'Upload ids are random, and the uploads of one key are listed by id instead of by start time.',
    isRace: true,
    claims: [
      'listings of multipart uploads > multipart uploads are listed by key and start time, with a prefix, also in pages',
    ],
  },
  {
    reason:
      'Changes are not atomic: of parallel changes the shorter retention may remain (semantics B.4 forbids it), and a completion and an abort may both succeed.',
    isRace: true,
    claims: [
      'changes of a retention > the longest of several compliance retentions that are set in parallel remains',
      'completions of multipart uploads > of a completion and an abort that run in parallel, one succeeds and the other fails',
    ],
  },
  {
    reason:
      'A read accepts neither a list nor a star in If-Match and If-None-Match (semantics B.14, RFC 9110).',
    claims: [
      'conditional reads > a conditional read with a matching ETag in an If-Match list succeeds',
      'conditional reads > a conditional read with If-Match: * succeeds',
      'conditional reads > a conditional read with a matching ETag in an If-None-Match list fails with NotModified',
      'conditional reads > a conditional read with If-None-Match: * fails with NotModified',
    ],
  },
  {
    reason:
      'The error for an unsatisfiable range does not contain the size of the object, and a suffix range of 0 bytes returns the whole object (semantics B.14, RFC 9110: not satisfiable).',
    claims: [
      'range reads > the range {"first":3} of 3 bytes fails with InvalidRange, with the size in the error',
      'range reads > the range {"first":3,"last":9} of 3 bytes fails with InvalidRange, with the size in the error',
      'range reads > the range {"suffix":0} of 3 bytes fails with InvalidRange, with the size in the error',
    ],
  },
  {
    reason:
      'A delete marker counts as a missing object, also when its version id is given (semantics B.3: MethodNotAllowed, or InvalidRequest for a copy), and the response does not mention the marker.',
    claims: [
      'versions > a read of a key with a current delete marker fails with NoSuchKey, with the id of the marker',
      'versions > a read of a delete marker by its id fails with MethodNotAllowed',
      'copies > a copy of a delete marker fails with NoSuchKey if it is current, and with InvalidRequest if its version id is given',
      'getRetention > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'putRetention > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'getLegalHold > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'putLegalHold > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'tags of objects > a delete marker has no tags',
      'access control lists > an object ACL can be neither read nor put for a missing key or a delete marker, and cannot be put with another owner',
    ],
  },
  {
    reason:
      'A delete of a deleted key creates no further marker, a removed version is not echoed, and no version id is returned by copies, completions, tag changes and writes while versioning is suspended (semantics B.3 requires all of these).',
    claims: [
      'null versions after writes by put > after the steps "enable, put a, delete, delete" the versions are ["marker","marker","a"]',
      'null versions after writes by put > the version id of a write is undefined without versioning, new with versioning, and null while suspended',
      'null versions after writes by copy > after the steps "enable, put a, delete, delete" the versions are ["marker","marker","a"]',
      'null versions after writes by copy > the version id of a write is undefined without versioning, new with versioning, and null while suspended',
      'null versions after writes by multipart upload > after the steps "enable, put a, delete, delete" the versions are ["marker","marker","a"]',
      'null versions after writes by multipart upload > the version id of a write is undefined without versioning, new with versioning, and null while suspended',
      'versions > a delete returns the id of its delete marker, or of the version that it removed',
      'copies > a copy of an old version onto its own key creates a new current version',
      'multipart uploads > a repeated completion returns the same result and creates no second version',
      'tags of objects > each version has its own tags, and tag calls return its id',
      'renames > a rename leaves old versions and their locks below a delete marker',
    ],
  },
  {
    reason:
      'The same requests are refused with other error codes: NoSuchKey for a malformed version id and for a completed upload, InvalidPart for a wrong order of parts, InvalidArgument for tags, MalformedXML for rules, InternalError for the completion of an unknown upload (semantics B.1).',
    claims: [
      'versions > reading with a malformed version id fails with InvalidArgument',
      'multipart uploads > a completed upload accepts no parts, and cannot be aborted or listed',
      'multipart uploads > an aborted upload no longer exists, and its parts are deleted',
      'multipart uploads > an upload id is valid only with its bucket and key',
      'completions of multipart uploads > a completion with an invalid list of parts is rejected and keeps the upload',
      'getRetention > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'putRetention > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'getLegalHold > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'putLegalHold > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'tags of objects > invalid tags are rejected, and change nothing',
      'the CORS rules of a bucket > CORS rules with one invalid rule are rejected as a whole, and the previous rules remain',
    ],
  },
  {
    reason:
      'radosgw accepts requests that the contract refuses: negative and forged markers, invalid part numbers, too much metadata, periods of more than 100 years, redirects to any location, and the creation of the same bucket with another lock flag (semantics B.1, B.2, B.4, B.12, B.13).',
    claims: [
      'buckets > a repeated creation of a bucket with another object lock flag fails',
      'objects > user attributes above 2 KB are rejected and nothing is stored',
      'object listings > a listing of a negative number of keys fails with InvalidArgument',
      'object listings > a listing with the forged token forged fails with InvalidArgument',
      'object listings > a listing with the forged token a/1 fails with InvalidArgument',
      'object listings > a listing with the forged token AAAA fails with InvalidArgument',
      'version listings > a version listing with only a version marker fails with InvalidArgument',
      'version listings > a version listing of a negative number of entries fails with InvalidArgument',
      'multipart uploads > creating an upload with a key of 1025 bytes or too much metadata is rejected',
      'multipart uploads > a part with the number 0 is rejected',
      'multipart uploads > a part with the number -1 is rejected',
      'multipart uploads > a part with the number 10001 is rejected',
      'buckets with object lock > a repeated creation of a bucket with object lock succeeds only with object lock',
      'default retention > an invalid default retention is rejected with InvalidRetentionPeriod: {"mode":"GOVERNANCE","days":36501}',
      'default retention > an invalid default retention is rejected with InvalidRetentionPeriod: {"mode":"GOVERNANCE","years":101}',
      'website redirects of objects > a website redirect must be a path or an HTTP URL',
      'the website configuration of a bucket > an invalid website configuration is rejected as a whole, and the previous one remains',
    ],
  },
  {
    reason:
      'A completion must list all uploaded parts (semantics B.13: parts that it omits are discarded).',
    claims: [
      'multipart uploads > a completion joins the listed parts and discards the others',
      'checksums of multipart uploads > the checksum of an upload includes only the parts that the completion lists',
    ],
  },
  {
    reason:
      'A listing with only a key marker starts with that key again, a marker version that no longer exists skips the other versions of its key, and uploads are omitted instead of being grouped by the delimiter (semantics B.12).',
    claims: [
      'version listings > a version listing with only a key marker continues after that key',
      'version listings > a version listing continues correctly after a marker version that was deleted meanwhile',
      'listings of multipart uploads > multipart uploads are grouped by a delimiter, also in pages',
      'listings of multipart uploads > a listing of multipart uploads with only a key marker continues with the next key',
    ],
  },
  {
    reason:
      'Attribute names get hyphens instead of underscores, a copy cannot change the redirect, and rules are returned in another order, with elements added or omitted.',
    claims: [
      'objects > get and head return attributes as they were put',
      'website redirects of objects > a copy keeps the website redirect of its source unless the request has another one',
      'the CORS rules of a bucket > CORS rules are returned as they were put, a new put replaces them, and a delete removes them',
      'the website configuration of a bucket > a website configuration is returned as it was put, a new put replaces it, and a delete removes it',
    ],
  },
  {
    reason:
      'A lifecycle configuration loses the sizes of its filters and the number of versions to keep. A rule for all objects is returned with an empty prefix, a rule id is returned unencoded, and copies and completions return no expiration (semantics B.7).',
    claims: [
      'lifecycle rules > lifecycle rules are returned with sizes, without a filter, and with the older prefix element',
      'expiration by a lifecycle rule > put, get and head return the expiration date of an object and its rule',
      'expiration by a lifecycle rule > a copy and a completion return the expiration date of the object and its rule',
    ],
  },
  {
    reason: 'The region is always `default`, whatever the signature says (semantics B.2).',
    claims: ['buckets > a bucket is in the region of the store'],
  },
  {
    reason:
      'radosgw returns a public access block if none was put (semantics B.1: an error code of its own), and accepts a policy about another bucket (semantics B.6 refuses it).',
    claims: [
      'bucket policies > an invalid bucket policy is rejected, and the previous policy remains',
      'public access blocks > a public access block is returned as it was put, and can be deleted',
    ],
  },
  {
    reason:
      'An ACL without a grant for the owner takes the bucket from its owner. READ does not permit GetBucketLocation, and WRITE on an object permits nothing. WRITE on a bucket permits removing objects, versions and uploads of other users, and the bucket owner may do this, too. The specification differs ("Authentication" 6, "Access rights"; semantics B.5).',
    claims: [
      'grants to a user of another project > READ on a bucket permits listing the bucket, but not reading its objects',
      'grants to a user of another project > WRITE on a bucket permits adding objects, and the writer owns them',
      'grants to a user of another project > a writer from another project can give the bucket owner access with the canned ACL bucket-owner-read',
      'grants to a user of another project > WRITE on an object permits overwriting this object, but not creating another one',
      'grants to a user of another project > FULL_CONTROL on bucket and object does not permit deleting versions of another owner',
      'grants to a user of another project > WRITE on a bucket permits multipart uploads, but not aborting uploads of other users',
      'access control lists > an ACL without a grant for the owner does not restrict the owner',
    ],
  },
  {
    reason:
      'A policy is evaluated for fewer permissions: ACLs, tags and locks in a put need no permission of their own, an allowed action permits locks, too, conditions on the new object do not apply to uploads and tags, and an allowed UploadPartCopy is refused (semantics B.6, specification, "Authentication" 8).',
    claims: [
      'bucket policies > a put with an ACL or tags requires the permission for ACLs or tags too',
      'bucket policies > a put with a retention or a legal hold requires the permission for that lock too',
      'bucket policies > a user with full privileges in another project cannot change locks, whatever the policy allows',
      'bucket policies > a copy requires permission to read the source, its named version and its tags',
      'bucket policies > policy conditions are compared with the parsed request',
      'bucket policies > policy conditions can depend on existing tags of an object and on tags of the request',
    ],
  },
  {
    reason:
      'A missing or a wrong key of an encrypted object fails with InvalidArgument, and a key for an unencrypted object is ignored (semantics B.10: InvalidRequest, AccessDenied).',
    claims: [
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 10 bytes fail without the key',
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 500000 bytes fail without the key',
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 10 bytes fail with another key',
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 500000 bytes fail with another key',
      'objects encrypted with a customer key > GET and HEAD of an unencrypted object fail with a customer key',
      'objects encrypted with a customer key > versions of one key may have different customer keys or none',
      'copies with customer keys > a copy of an unencrypted source with a source key is rejected',
      'multipart uploads with a customer key > an upload with a customer key rejects parts without the key or with another key',
      'multipart uploads with a customer key > an upload without a customer key rejects parts with a key',
      'multipart uploads with a customer key > an upload with a customer key can be listed and completed with that key, but not with another one',
      'multipart uploads with a customer key > a part of an encrypted upload can be copied from a source with another customer key',
    ],
  },
  {
    reason:
      'radosgw does not copy encrypted objects (NotImplemented), does not encrypt the target of a copy, which the client reports as an error, and cannot change the key by a copy onto itself (semantics B.10).',
    claims: [
      'copies with customer keys > a copy from plain to ours has the bytes of its source',
      'copies with customer keys > a copy from plain to other has the bytes of its source',
      'copies with customer keys > a copy from ours to plain has the bytes of its source',
      'copies with customer keys > a copy from ours to ours has the bytes of its source',
      'copies with customer keys > a copy from ours to other has the bytes of its source',
      'copies with customer keys > a copy from other to plain has the bytes of its source',
      'copies with customer keys > a copy from other to ours has the bytes of its source',
      'copies with customer keys > a copy from other to other has the bytes of its source',
      'copies with customer keys > a copy of a small encrypted source requires the key of the source',
      'copies with customer keys > a copy of a large encrypted source requires the key of the source',
      'copies with customer keys > a copy onto itself with a new key changes only the key: 10 bytes',
      'copies with customer keys > a copy onto itself with a new key changes only the key: 300000 bytes',
      'copies with customer keys > a copy onto itself encrypts an unencrypted object, and vice versa',
      'copies with customer keys > a copy with customer keys checks the conditions on its source and its target',
      'copies with customer keys > a copy with customer keys calculates a checksum on request',
      'multipart uploads with a customer key > an encrypted multipart object can be copied with the same key, with another key and without a key',
    ],
  },
];
