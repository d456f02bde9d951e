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
      'CRC32 checksums of objects > the store calculates the checksum of 0 bytes on request, and verifies it if the request contains one',
      'CRC32 checksums of objects > the store calculates the checksum of 1000 bytes on request, and verifies it if the request contains one',
      'CRC32 checksums of objects > the store calculates the checksum of 65536 bytes on request, and verifies it if the request contains one',
      'CRC32 checksums of objects > the store calculates the checksum of 65537 bytes on request, and verifies it if the request contains one',
      'CRC32 checksums of objects > the store calculates the checksum of 307200 bytes on request, and verifies it if the request contains one',
      'CRC32 checksums of objects > a put with a wrong checksum stores nothing',
      'CRC32 checksums of objects > a put with a checksum and a SHA-256 of the body verifies both',
      'CRC32 checksums of objects > a copy calculates a checksum if the request names an algorithm',
      'CRC32C checksums of objects > the store calculates the checksum of 0 bytes on request, and verifies it if the request contains one',
      'CRC32C checksums of objects > the store calculates the checksum of 1000 bytes on request, and verifies it if the request contains one',
      'CRC32C checksums of objects > the store calculates the checksum of 65536 bytes on request, and verifies it if the request contains one',
      'CRC32C checksums of objects > the store calculates the checksum of 65537 bytes on request, and verifies it if the request contains one',
      'CRC32C checksums of objects > the store calculates the checksum of 307200 bytes on request, and verifies it if the request contains one',
      'CRC32C checksums of objects > a put with a wrong checksum stores nothing',
      'CRC32C checksums of objects > a put with a checksum and a SHA-256 of the body verifies both',
      'CRC32C checksums of objects > a copy calculates a checksum if the request names an algorithm',
      'CRC64NVME checksums of objects > the store calculates the checksum of 0 bytes on request, and verifies it if the request contains one',
      'CRC64NVME checksums of objects > the store calculates the checksum of 1000 bytes on request, and verifies it if the request contains one',
      'CRC64NVME checksums of objects > the store calculates the checksum of 65536 bytes on request, and verifies it if the request contains one',
      'CRC64NVME checksums of objects > the store calculates the checksum of 65537 bytes on request, and verifies it if the request contains one',
      'CRC64NVME checksums of objects > the store calculates the checksum of 307200 bytes on request, and verifies it if the request contains one',
      'CRC64NVME checksums of objects > a put with a wrong checksum stores nothing',
      'CRC64NVME checksums of objects > a put with a checksum and a SHA-256 of the body verifies both',
      'CRC64NVME checksums of objects > a copy calculates a checksum if the request names an algorithm',
      'SHA1 checksums of objects > the store calculates the checksum of 0 bytes on request, and verifies it if the request contains one',
      'SHA1 checksums of objects > the store calculates the checksum of 1000 bytes on request, and verifies it if the request contains one',
      'SHA1 checksums of objects > the store calculates the checksum of 65536 bytes on request, and verifies it if the request contains one',
      'SHA1 checksums of objects > the store calculates the checksum of 65537 bytes on request, and verifies it if the request contains one',
      'SHA1 checksums of objects > the store calculates the checksum of 307200 bytes on request, and verifies it if the request contains one',
      'SHA1 checksums of objects > a put with a wrong checksum stores nothing',
      'SHA1 checksums of objects > a put with a checksum and a SHA-256 of the body verifies both',
      'SHA1 checksums of objects > a copy calculates a checksum if the request names an algorithm',
      'SHA256 checksums of objects > the store calculates the checksum of 0 bytes on request, and verifies it if the request contains one',
      'SHA256 checksums of objects > the store calculates the checksum of 1000 bytes on request, and verifies it if the request contains one',
      'SHA256 checksums of objects > the store calculates the checksum of 65536 bytes on request, and verifies it if the request contains one',
      'SHA256 checksums of objects > the store calculates the checksum of 65537 bytes on request, and verifies it if the request contains one',
      'SHA256 checksums of objects > the store calculates the checksum of 307200 bytes on request, and verifies it if the request contains one',
      'SHA256 checksums of objects > a put with a wrong checksum stores nothing',
      'SHA256 checksums of objects > a put with a checksum and a SHA-256 of the body verifies both',
      'SHA256 checksums of objects > a copy calculates a checksum if the request names an algorithm',
      'checksums of objects and copies > the store calculates the checksum of a large stream',
      'checksums of objects and copies > an object that is put without a checksum gets a calculated checksum',
      'checksums of objects and copies > each version of an object has its own checksum',
      'checksums of objects and copies > a copy of an object onto itself can change its checksum algorithm',
      'checksums of multipart uploads > a multipart upload with the algorithm CRC32 and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > a multipart upload with the algorithm CRC32 and the type FULL_OBJECT combines the checksums of its parts',
      'checksums of multipart uploads > a multipart upload with the algorithm CRC32C and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > a multipart upload with the algorithm CRC32C and the type FULL_OBJECT combines the checksums of its parts',
      'checksums of multipart uploads > a multipart upload with the algorithm CRC64NVME and the type FULL_OBJECT combines the checksums of its parts',
      'checksums of multipart uploads > a multipart upload with the algorithm SHA1 and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > a multipart upload with the algorithm SHA256 and the type COMPOSITE combines the checksums of its parts',
      'checksums of multipart uploads > the store calculates missing checksums of parts by the algorithm of their multipart upload',
      'checksums of multipart uploads > a multipart upload without a checksum algorithm gets a full-object checksum',
      'checksums of multipart uploads > a multipart upload rejects parts with another checksum algorithm or a wrong checksum',
      'checksums of multipart uploads > a completion with a wrong checksum or size is rejected, and the multipart upload remains open',
      'checksums of multipart uploads > a multipart upload cannot be created with {"checksumType":"FULL_OBJECT"}',
      'checksums of multipart uploads > a multipart upload cannot be created with {"checksumAlgorithm":"SHA1","checksumType":"FULL_OBJECT"}',
      'checksums of multipart uploads > a multipart upload cannot be created with {"checksumAlgorithm":"CRC64NVME","checksumType":"COMPOSITE"}',
      'checksums of multipart uploads > a copy keeps a composite checksum, and calculates a full-object checksum if the request names an algorithm',
      'objects encrypted with a customer key > a put with a customer key verifies the SHA-256 and the checksum of the plaintext: 5 bytes',
      'objects encrypted with a customer key > a put with a customer key verifies the SHA-256 and the checksum of the plaintext: 200000 bytes',
    ],
  },
  {
    reason:
      'radosgw 16.2 does not support GetObjectAttributes: it returns the object itself, which the client reports as NotImplemented.',
    claims: [
      'GetObjectAttributes > getObjectAttributes returns only the requested attributes',
      'GetObjectAttributes > getObjectAttributes returns the attributes of the version that the request names',
      'GetObjectAttributes > getObjectAttributes fails with the same errors as a GET',
      'GetObjectAttributes > getObjectAttributes returns the parts and their checksums, also in pages: undefined',
      'GetObjectAttributes > getObjectAttributes returns the parts and their checksums, also in pages: SHA1',
      'GetObjectAttributes > getObjectAttributes omits part checksums if a copy changed the checksum algorithm',
      'bucket policies > GetObjectAttributes requires both s3:GetObject and s3:GetObjectAttributes',
      'objects encrypted with a customer key > GetObjectAttributes of an encrypted object succeeds with its customer key',
    ],
  },
  {
    reason:
      'radosgw ignores partNumber in a read and returns the whole object, which the client reports as NotImplemented. The contract returns the part (semantics B.14).',
    claims: [
      'GET by part number > a GET with a part number returns the bytes and the checksum of that part',
      'GET by part number > a GET of part 1 of an object that does not have this part is rejected',
      'GET by part number > a GET of part 3 of an object that does not have this part is rejected',
      'GET by part number > a GET of part 10 of an object that does not have this part is rejected',
      'GET by part number > a GET of part 10000 of an object that does not have this part is rejected',
      'GET by part number > part 1 of an object from a single put is the whole object',
      'GET by part number > a GET of part 1 of an empty object returns no bytes',
      'GET by part number > a GET of an empty part returns no bytes',
      'GET by part number > a GET with both a part number and a range fails with InvalidRequest',
      'GET by part number > a GET with a part number and a condition checks the condition first',
      'multipart uploads with a customer key > a multipart upload with a customer key encrypts its parts, and needs no key for its completion',
    ],
  },
  {
    reason:
      'A multipart upload loses the retention, the legal hold and the tags that it was created with; only the default retention of the bucket applies (semantics B.4: "data-loss-by-compliance, do not copy").',
    claims: [
      'versions locked by a multipart upload > GET and HEAD return the retention and the legal hold of a locked version',
      'versions locked by a multipart upload > a version under GOVERNANCE retention can be removed only with a bypass',
      'versions locked by a multipart upload > a version under COMPLIANCE retention cannot be removed, even with a bypass',
      'versions locked by a multipart upload > a version under a legal hold cannot be removed, even with a bypass',
      'versions locked by a multipart upload > new versions and delete markers can be added to a key with a locked version, and are not locked',
      'versions locked by a multipart upload > a write with a lock into a bucket without Object Lock fails with InvalidRequest and stores nothing',
      'versions locked by a multipart upload > a write with a retention that ends in the past fails with InvalidArgument and stores nothing',
      'versions written by a multipart upload under a default retention > a retention in the request replaces the default retention, even if it is shorter',
      'versions written by a multipart upload under a default retention > a version that is written with a legal hold also gets the default retention',
      'tags of objects > a multipart object has the tags with which its upload was created',
      'copies by multipart upload > a copy of a large object by multipart upload preserves bytes, attributes and tags',
    ],
  },
  {
    reason:
      'A copy ignores the retention and the legal hold of the request, and takes those of its source (semantics B.4 requires the opposite). It always takes the tags of the source, whatever the directive is.',
    claims: [
      'versions locked by a copy > GET and HEAD return the retention and the legal hold of a locked version',
      'versions locked by a copy > a version under GOVERNANCE retention can be removed only with a bypass',
      'versions locked by a copy > a version under COMPLIANCE retention cannot be removed, even with a bypass',
      'versions locked by a copy > a version under a legal hold cannot be removed, even with a bypass',
      'versions locked by a copy > new versions and delete markers can be added to a key with a locked version, and are not locked',
      'versions locked by a copy > a write with a lock into a bucket without Object Lock fails with InvalidRequest and stores nothing',
      'versions locked by a copy > a write with a retention that ends in the past fails with InvalidArgument and stores nothing',
      'Object Lock on single versions > a copy does not copy the lock of its source',
      'versions written by a copy under a default retention > a retention in the request replaces the default retention, even if it is shorter',
      'versions written by a copy under a default retention > a version that is written with a legal hold also gets the default retention',
      'tags of objects > a copy has the tags of its source, or the tags in its request, or none',
    ],
  },
  {
    reason:
      'radosgw ignores conditions of copies, completions and deletes, on the target and on the source (semantics B.14 and B.15 require them). So these writes are not protected.',
    claims: [
      'conditional writes of objects > a copy with If-None-Match: * fails when the target exists',
      'conditional writes of objects > a copy with If-Match compares the ETag of the target, not of the source',
      'conditional writes of objects > a delete with If-Match deletes only the matching object (bucket versioning: Enabled)',
      'conditional writes of objects > a delete with If-Match deletes only the matching object (bucket versioning: undefined)',
      'bulk deletes > a bulk delete checks the condition of each object',
      'copies of objects > a copy with the source conditions {"ifMatch":["795f3202b17cb6bc3d4b771d8c6c9eaf"]} succeeds: false',
      'copies of objects > a copy with the source conditions {"ifNoneMatch":["1cb251ec0d568de6a929b520c4aed8d1"]} succeeds: false',
      'copies of objects > a copy with the source conditions {"ifUnmodifiedSince":0} succeeds: false',
      'completions of multipart uploads > a completion with If-None-Match: * fails if the key exists, and a retry without the condition succeeds',
      'completions of multipart uploads > a completion with If-Match compares the ETag of the existing object',
      'completions of multipart uploads > exactly one of 8 parallel completions with If-None-Match: * succeeds',
      'copies by multipart upload > a copy by multipart upload fails if its source is replaced meanwhile, and leaves no object and no upload',
    ],
  },
  {
    reason:
      'A put evaluates If-Match only without quotes, and never in a versioned bucket. The error does not name the condition, and a missing key fails with PreconditionFailed (semantics B.14: NoSuchKey).',
    claims: [
      'conditional writes of objects > a put with If-None-Match: * fails when the key exists',
      'conditional writes of objects > a put with If-Match: 1cb251ec0d568de6a929b520c4aed8d1 replaces the object with that ETag',
      'conditional writes of objects > a put with If-Match: 1cb251ec0d568de6a929b520c4aed8d1 of a missing key fails with NoSuchKey',
      'conditional writes of objects > a put with If-Match: * of a missing key fails with NoSuchKey',
      'conditional writes of objects > a put with If-Match fails with NoSuchKey if the current version is a delete marker',
      'Object Lock on single versions > a put whose condition fails locks no version',
    ],
  },
  {
    reason:
      'Conditions of puts are evaluated before the body is received, not at the commit (semantics B.14): of parallel puts, several or none succeed.',
    claims: [
      'conditional writes of objects > exactly one of 32 parallel puts of 100 bytes with If-None-Match: * succeeds',
      'conditional writes of objects > exactly one of 32 parallel puts of 102400 bytes with If-None-Match: * succeeds',
      'conditional writes of objects > exactly one of 32 parallel puts with the same ETag in If-Match succeeds',
    ],
  },
  {
    reason:
      'Upload ids are random, and the uploads of one key are listed by id instead of by start time.',
    isRace: true,
    claims: [
      'listings of multipart uploads > listUploads returns multipart uploads sorted by key and start time, with a prefix and in pages',
    ],
  },
  {
    reason:
      'Changes are not atomic: of parallel changes the shorter retention may remain (semantics B.4 forbids it), and a completion and an abort may both succeed.',
    isRace: true,
    claims: [
      'changes of a retention > if several COMPLIANCE retentions are set in parallel, the longest remains',
      'completions of multipart uploads > if a completion and an abort run in parallel, one succeeds and the other fails',
    ],
  },
  {
    reason:
      'A read accepts neither a list nor a star in If-Match and If-None-Match (semantics B.14, RFC 9110).',
    claims: [
      'GET with conditions > a conditional GET with a matching ETag in an If-Match list succeeds',
      'GET with conditions > a conditional GET with If-Match: * succeeds',
      'GET with conditions > a conditional GET with a matching ETag in an If-None-Match list fails with NotModified',
      'GET with conditions > a conditional GET with If-None-Match: * fails with NotModified',
    ],
  },
  {
    reason:
      'The error for an unsatisfiable range does not contain the size of the object, and a suffix range of 0 bytes returns the whole object (semantics B.14, RFC 9110: not satisfiable).',
    claims: [
      'GET with a range > a GET with the range {"first":3} of 3 bytes fails with InvalidRange, and the error contains the size',
      'GET with a range > a GET with the range {"first":3,"last":9} of 3 bytes fails with InvalidRange, and the error contains the size',
      'GET with a range > a GET with the range {"suffix":0} of 3 bytes fails with InvalidRange, and the error contains the size',
    ],
  },
  {
    reason:
      'A delete marker counts as a missing object, also when its version id is given (semantics B.3: MethodNotAllowed, or InvalidRequest for a copy), and the response does not mention the marker.',
    claims: [
      'object versions > a GET of a key whose current version is a delete marker fails with NoSuchKey and the id of the marker',
      'object versions > a GET of a delete marker by its id fails with MethodNotAllowed',
      'copies of objects > a copy of a delete marker fails with NoSuchKey, or with InvalidRequest if the request names its version id',
      'getRetention > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'putRetention > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'getLegalHold > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'putLegalHold > a lock request for a delete marker fails with MethodNotAllowed, with or without its version id',
      'tags of objects > a delete marker cannot have tags',
      'access control lists > the ACL of a missing key or delete marker cannot be read or set, and an ACL cannot change the owner',
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
      'object versions > a delete returns the id of its delete marker, or the id of the version that it removed',
      'copies of objects > a copy of an older version onto its own key becomes the current version',
      'multipart uploads > a repeated completion returns the same result and creates no second version',
      'tags of objects > each version of an object has its own tags, and tag calls return the version id',
      'renames of objects > a rename keeps older versions of the old key and their locks, below a delete marker',
    ],
  },
  {
    reason:
      'The same requests are refused with other error codes: NoSuchKey for a malformed version id and for a completed upload, InvalidPart for a wrong order of parts, InvalidArgument for tags, MalformedXML for rules, InternalError for the completion of an unknown upload (semantics B.1).',
    claims: [
      'object versions > a GET with a malformed version id fails with InvalidArgument',
      'multipart uploads > a completed multipart upload accepts no parts, and can be neither aborted nor listed',
      'multipart uploads > an aborted multipart upload no longer exists, and its parts are deleted',
      'multipart uploads > an upload id is valid only with its own bucket and key',
      'completions of multipart uploads > a completion with an invalid list of parts is rejected and does not discard the upload',
      'getRetention > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'putRetention > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'getLegalHold > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'putLegalHold > a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion',
      'tags of objects > a call with invalid tags is rejected and changes nothing',
      'the CORS rules of a bucket > a list of CORS rules with an invalid rule is rejected as a whole, and the previous rules remain',
    ],
  },
  {
    reason:
      'radosgw accepts requests that the contract refuses: negative and forged markers, invalid part numbers, too much metadata, periods of more than 100 years, redirects to any location, and the creation of the same bucket with another lock flag (semantics B.1, B.2, B.4, B.12, B.13).',
    claims: [
      'buckets of an object store > CreateBucket for an existing bucket fails with another Object Lock flag',
      'single objects > a put with more than 2 KB of user metadata is rejected and stores nothing',
      'object listings > a listing with a negative page size fails with InvalidArgument',
      'object listings > a listing with the forged continuation token forged fails with InvalidArgument',
      'object listings > a listing with the forged continuation token a/1 fails with InvalidArgument',
      'object listings > a listing with the forged continuation token AAAA fails with InvalidArgument',
      'version listings > a version listing with a version marker but no key marker fails with InvalidArgument',
      'version listings > a version listing with a negative page size fails with InvalidArgument',
      'multipart uploads > a multipart upload cannot be created with a key of 1,025 bytes or with too much metadata',
      'multipart uploads > a multipart upload rejects a part with the number 0',
      'multipart uploads > a multipart upload rejects a part with the number -1',
      'multipart uploads > a multipart upload rejects a part with the number 10001',
      'buckets with Object Lock > CreateBucket for a bucket with Object Lock can be repeated only with Object Lock',
      'default retention of a bucket > an invalid default retention is rejected with InvalidRetentionPeriod: {"mode":"GOVERNANCE","days":36501}',
      'default retention of a bucket > an invalid default retention is rejected with InvalidRetentionPeriod: {"mode":"GOVERNANCE","years":101}',
      'website redirects of objects > a website redirect must be a path or an HTTP URL',
      'the website configuration of a bucket > an invalid website configuration is rejected, and the previous configuration remains',
    ],
  },
  {
    reason:
      'A completion must list all uploaded parts (semantics B.13: parts that it omits are discarded).',
    claims: [
      'multipart uploads > a completion joins the listed parts and discards the other parts',
      'checksums of multipart uploads > the checksum of a multipart object covers only the parts that the completion lists',
    ],
  },
  {
    reason:
      'A listing with only a key marker starts with that key again, a marker version that no longer exists skips the other versions of its key, and uploads are omitted instead of being grouped by the delimiter (semantics B.12).',
    claims: [
      'version listings > a version listing with only a key marker continues with the next key',
      'version listings > a version listing finds the next page even if the version of its marker was deleted in the meantime',
      'listings of multipart uploads > listUploads with a delimiter groups multipart uploads by common prefix, also in pages',
      'listings of multipart uploads > listUploads with only a key marker continues with the next key',
    ],
  },
  {
    reason:
      'Attribute names get hyphens instead of underscores, a copy cannot change the redirect, and rules are returned in another order, with elements added or omitted.',
    claims: [
      'single objects > GET and HEAD return the attributes of an object as they were put',
      'website redirects of objects > a copy has the website redirect of its source unless its request has another one',
      'the CORS rules of a bucket > the store returns CORS rules as they were put, replaces them on the next put, and can delete them',
      'the website configuration of a bucket > the store returns a website configuration as it was put, replaces it on the next put, and can delete it',
    ],
  },
  {
    reason:
      'A lifecycle configuration loses the sizes of its filters and the number of versions to keep. A rule for all objects is returned with an empty prefix, a rule id is returned unencoded, and copies and completions return no expiration (semantics B.7).',
    claims: [
      'lifecycle rules > the store returns lifecycle rules with sizes, without a filter, and with the older Prefix element',
      'expiration by a lifecycle rule > put, GET and HEAD return the expiration date of an object and the id of its lifecycle rule',
      'expiration by a lifecycle rule > a copy and a completion return the expiration date of the new object and the id of its lifecycle rule',
    ],
  },
  {
    reason: 'The region is always `default`, whatever the signature says (semantics B.2).',
    claims: ['buckets of an object store > a bucket is in the region of its store'],
  },
  {
    reason:
      'radosgw returns a public access block if none was put (semantics B.1: an error code of its own), and accepts a policy about another bucket (semantics B.6 refuses it).',
    claims: [
      'bucket policies > an invalid bucket policy is rejected and does not replace the previous policy',
      'public access blocks > the store returns a public access block as it was put, and can delete it',
    ],
  },
  {
    reason:
      'An ACL without a grant for the owner takes the bucket from its owner. READ does not permit GetBucketLocation, and WRITE on an object permits nothing. WRITE on a bucket permits removing objects, versions and uploads of other users, and the bucket owner may do this, too. The specification differs ("Authentication" 6, "Access rights"; semantics B.5).',
    claims: [
      'grants to a user of another project > READ on a bucket permits listing the bucket, but not reading its objects',
      'grants to a user of another project > WRITE on a bucket permits adding objects, and each object belongs to its writer',
      'grants to a user of another project > a writer from another project can give the bucket owner access with the canned ACL bucket-owner-read',
      'grants to a user of another project > WRITE on an object permits overwriting it, but not creating another object',
      'grants to a user of another project > FULL_CONTROL on a bucket and an object does not permit deleting versions of another owner',
      'grants to a user of another project > WRITE on a bucket permits multipart uploads, but not aborting the uploads of other users',
      'access control lists > an owner keeps access to an object whose ACL has no grant for the owner',
    ],
  },
  {
    reason:
      'A policy is evaluated for fewer permissions: ACLs, tags and locks in a put need no permission of their own, an allowed action permits locks, too, conditions on the new object do not apply to uploads and tags, and an allowed UploadPartCopy is refused (semantics B.6, specification, "Authentication" 8).',
    claims: [
      'bucket policies > a put with an ACL or tags also requires the permission to set an ACL or tags',
      'bucket policies > a put with a retention or a legal hold also requires the permission to set the lock',
      'bucket policies > a user with full access to another project cannot change locks, whatever the policy allows',
      'bucket policies > a copy requires permission to read the source object, its version and its tags',
      'bucket policies > policy conditions are evaluated on the parsed request',
      'bucket policies > policy conditions can depend on the existing tags of an object and on the tags in the request',
    ],
  },
  {
    reason:
      'A missing or a wrong key of an encrypted object fails with InvalidArgument, and a key for an unencrypted object is ignored (semantics B.10: InvalidRequest, AccessDenied).',
    claims: [
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 10 bytes fail without the key',
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 500000 bytes fail without the key',
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 10 bytes fail with a wrong key',
      'objects encrypted with a customer key > GET and HEAD of an encrypted object of 500000 bytes fail with a wrong key',
      'objects encrypted with a customer key > GET and HEAD of an unencrypted object fail with a customer key',
      'objects encrypted with a customer key > each version of an object can have its own customer key, or none',
      'copies with customer keys > a copy of an unencrypted source with a source customer key is rejected',
      'multipart uploads with a customer key > a multipart upload with a customer key rejects parts without the key or with another key',
      'multipart uploads with a customer key > a multipart upload without a customer key rejects parts with a key',
      'multipart uploads with a customer key > a multipart upload with a customer key accepts that key for its listing and completion, and rejects another',
      'multipart uploads with a customer key > a part copy into an encrypted multipart upload accepts a source with another customer key',
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
      'copies with customer keys > a copy of a small encrypted source requires the customer key of the source',
      'copies with customer keys > a copy of a large encrypted source requires the customer key of the source',
      'copies with customer keys > a copy of an object onto itself with a new customer key changes only the key: 10 bytes',
      'copies with customer keys > a copy of an object onto itself with a new customer key changes only the key: 300000 bytes',
      'copies with customer keys > a copy of an object onto itself can add or remove encryption',
      'copies with customer keys > a copy with customer keys checks the conditions on its source and its target',
      'copies with customer keys > a copy with customer keys calculates a checksum if the request names an algorithm',
      'multipart uploads with a customer key > a copy of an encrypted multipart object can keep, change or remove its customer key',
    ],
  },
];
