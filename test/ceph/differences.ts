/** Where radosgw 16.2 does otherwise than the contract of the port, claim by claim, and why that is so. */

interface Difference {
  /** The contract, unless told. */
  readonly suite?: 'mirror';
  /** What it does, and who decided that the contract has it otherwise. */
  readonly reason: string;
  /** Whether the claims fail only at times. */
  readonly isRace?: true;
  /** As the run names them, without the numbers of what is specified. */
  readonly claims: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      'It has no checksums: those that are stated are neither verified nor kept nor told, and it knows no trailers. The specification has them (semantics B.11.4, B.13); the SHA-256 of the signature still guards what is sent.',
    claims: [
      'the CRC32 checksum > of 0 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32 checksum > of 1000 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32 checksum > of 65536 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32 checksum > of 65537 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32 checksum > of 307200 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32 checksum > that is wrong leaves no trace',
      'the CRC32 checksum > of a body with a stated SHA-256 is verified beside it',
      'the CRC32 checksum > is calculated for a copy that asks for it',
      'the CRC32C checksum > of 0 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32C checksum > of 1000 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32C checksum > of 65536 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32C checksum > of 65537 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32C checksum > of 307200 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC32C checksum > that is wrong leaves no trace',
      'the CRC32C checksum > of a body with a stated SHA-256 is verified beside it',
      'the CRC32C checksum > is calculated for a copy that asks for it',
      'the CRC64NVME checksum > of 0 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC64NVME checksum > of 1000 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC64NVME checksum > of 65536 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC64NVME checksum > of 65537 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC64NVME checksum > of 307200 bytes is calculated when it is asked for, and verified when it is stated',
      'the CRC64NVME checksum > that is wrong leaves no trace',
      'the CRC64NVME checksum > of a body with a stated SHA-256 is verified beside it',
      'the CRC64NVME checksum > is calculated for a copy that asks for it',
      'the SHA1 checksum > of 0 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA1 checksum > of 1000 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA1 checksum > of 65536 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA1 checksum > of 65537 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA1 checksum > of 307200 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA1 checksum > that is wrong leaves no trace',
      'the SHA1 checksum > of a body with a stated SHA-256 is verified beside it',
      'the SHA1 checksum > is calculated for a copy that asks for it',
      'the SHA256 checksum > of 0 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA256 checksum > of 1000 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA256 checksum > of 65536 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA256 checksum > of 65537 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA256 checksum > of 307200 bytes is calculated when it is asked for, and verified when it is stated',
      'the SHA256 checksum > that is wrong leaves no trace',
      'the SHA256 checksum > of a body with a stated SHA-256 is verified beside it',
      'the SHA256 checksum > is calculated for a copy that asks for it',
      'a checksum > of a large stream is calculated on the way',
      'a checksum > is calculated for bytes that come without one',
      'a checksum > a checksum belongs to its version',
      'a checksum > of another algorithm is given to an object by a copy onto itself',
      'the checksum of a multipart upload > CRC32, COMPOSITE, is made of those of its parts',
      'the checksum of a multipart upload > CRC32, FULL_OBJECT, is made of those of its parts',
      'the checksum of a multipart upload > CRC32C, COMPOSITE, is made of those of its parts',
      'the checksum of a multipart upload > CRC32C, FULL_OBJECT, is made of those of its parts',
      'the checksum of a multipart upload > CRC64NVME, FULL_OBJECT, is made of those of its parts',
      'the checksum of a multipart upload > SHA1, COMPOSITE, is made of those of its parts',
      'the checksum of a multipart upload > SHA256, COMPOSITE, is made of those of its parts',
      'the checksum of a multipart upload > is calculated of parts that come without one, by the algorithm of the upload',
      'the checksum of a multipart upload > is one of the whole where nobody named any',
      'the checksum of a multipart upload > refuses parts with another algorithm or another value',
      'the checksum of a multipart upload > refuses a completion with other checksums or another size, and stays open',
      'the checksum of a multipart upload > cannot be {"checksumType":"FULL_OBJECT"}',
      'the checksum of a multipart upload > cannot be {"checksumAlgorithm":"SHA1","checksumType":"FULL_OBJECT"}',
      'the checksum of a multipart upload > cannot be {"checksumAlgorithm":"CRC64NVME","checksumType":"COMPOSITE"}',
      'the checksum of a multipart upload > goes with a copy, or becomes one of the whole',
      "an object under a customer's key > is held to its SHA-256 and checksum before it is encrypted: 5 bytes",
      "an object under a customer's key > is held to its SHA-256 and checksum before it is encrypted: 200000 bytes",
    ],
  },
  {
    reason:
      'GetObjectAttributes came after it: it answers with the object itself, which the client tells as NotImplemented.',
    claims: [
      'the attributes of an object > are told where they are wanted',
      'the attributes of an object > are of the version that is asked for',
      'the attributes of an object > are refused as a read would be',
      'the attributes of an object > tell the parts, with their checksums, in pages too: undefined',
      'the attributes of an object > tell the parts, with their checksums, in pages too: SHA1',
      'the attributes of an object > tell no checksums of parts that are not of the algorithm of a copy',
      'a policy > to describe an object takes the right to read it, and one of its own',
      "an object under a customer's key > tells its attributes to whoever has the key",
    ],
  },
  {
    reason:
      'It passes over partNumber of a read and sends the whole, which the client tells as NotImplemented; the contract has the part (semantics B.14).',
    claims: [
      'a part of an object > is read by its number, with its checksum',
      'a part of an object > that it does not have, 1, is refused',
      'a part of an object > that it does not have, 3, is refused',
      'a part of an object > that it does not have, 10, is refused',
      'a part of an object > that it does not have, 10000, is refused',
      'a part of an object > is the whole of an object that was put in one piece',
      'a part of an object > of an empty object is empty',
      'a part of an object > that is empty is read as nothing',
      'a part of an object > and a range exclude each other',
      'a part of an object > is read under conditions, which come first',
      "an upload under a customer's key > has its parts encrypted under it, and is completed without",
    ],
  },
  {
    reason:
      'An upload in parts loses the retention and the hold that it was begun with (semantics B.4: "data-loss-by-compliance, do not copy"), and its tags; only the default of the bucket counts.',
    claims: [
      'a version locked by a multipart upload > tells its retention and its legal hold, from get and head',
      'a version locked by a multipart upload > is not removed in governance mode but by a bypass',
      'a version locked by a multipart upload > is not removed in compliance mode, not even by a bypass',
      'a version locked by a multipart upload > is not removed under a legal hold, not even by a bypass',
      'a version locked by a multipart upload > stays below new versions and delete markers, which are not locked by it',
      'a version locked by a multipart upload > in a bucket without object lock is InvalidRequest, and nothing is stored',
      'a version locked by a multipart upload > until a moment that has passed is InvalidArgument, and nothing is stored',
      'a version written by a multipart upload under a default retention > has the retention that it was given, though it is shorter',
      'a version written by a multipart upload under a default retention > has the default beside a legal hold that it was given',
      'tags of objects > an object has the tags given to its multipart upload',
      'a copy in parts > a copy in parts of a large object keeps bytes, attributes and tags',
    ],
  },
  {
    reason:
      'A copy passes over the retention and the hold that it is given, and takes those of its source (semantics B.4 has the opposite); its tags stay those of the source, whatever the directive says.',
    claims: [
      'a version locked by a copy > tells its retention and its legal hold, from get and head',
      'a version locked by a copy > is not removed in governance mode but by a bypass',
      'a version locked by a copy > is not removed in compliance mode, not even by a bypass',
      'a version locked by a copy > is not removed under a legal hold, not even by a bypass',
      'a version locked by a copy > stays below new versions and delete markers, which are not locked by it',
      'a version locked by a copy > in a bucket without object lock is InvalidRequest, and nothing is stored',
      'a version locked by a copy > until a moment that has passed is InvalidArgument, and nothing is stored',
      'a lock > a copy does not copy the lock of its source',
      'a version written by a copy under a default retention > has the retention that it was given, though it is shorter',
      'a version written by a copy under a default retention > has the default beside a legal hold that it was given',
      'tags of objects > a copy has the tags of its source, other tags, or none',
    ],
  },
  {
    reason:
      'Conditions of copies, completions and deletions, be they of the target or of the source, are passed over (semantics B.14, B.15 want each to hold); so nothing guards these writes.',
    claims: [
      'a conditional write > a copy with If-None-Match: * fails when the target exists',
      'a conditional write > a copy with If-Match compares the ETag of the target, not of the source',
      'a conditional write > a delete with If-Match deletes only the matching object (versioning Enabled)',
      'a conditional write > a delete with If-Match deletes only the matching object (versioning undefined)',
      'many deletions in one call > a bulk delete checks the conditions of each object',
      'a copy > with {"ifMatch":["795f3202b17cb6bc3d4b771d8c6c9eaf"]} on its source: goes on is false, else PreconditionFailed',
      'a copy > with {"ifNoneMatch":["1cb251ec0d568de6a929b520c4aed8d1"]} on its source: goes on is false, else PreconditionFailed',
      'a copy > with {"ifUnmodifiedSince":0} on its source: goes on is false, else PreconditionFailed',
      'a completion > a completion with If-None-Match: * fails when the key exists, and may be retried without it',
      'a completion > a completion with If-Match compares the ETag of the current object',
      'a completion > of 8 parallel completions with If-None-Match: * exactly one wins',
      'a copy in parts > a copy in parts of a source that was replaced meanwhile is rejected, and leaves nothing',
    ],
  },
  {
    reason:
      'A put is held to If-Match only without quotes, and where versioning is on never; the refusal names no condition, and a missing key is PreconditionFailed (semantics B.14: NoSuchKey).',
    claims: [
      'a conditional write > a put with If-None-Match: * fails when the key exists',
      'a conditional write > a put with If-Match: 1cb251ec0d568de6a929b520c4aed8d1 replaces that object',
      'a conditional write > a put with If-Match: 1cb251ec0d568de6a929b520c4aed8d1 of a missing key is NoSuchKey',
      'a conditional write > a put with If-Match: * of a missing key is NoSuchKey',
      'a conditional write > a put with If-Match under a delete marker is NoSuchKey',
      'a lock > a put rejected by its condition leaves no lock',
    ],
  },
  {
    reason:
      'Conditions of puts are looked at before the bytes come, not when they are committed (semantics B.14): of parallel puts several win, or none.',
    claims: [
      'a conditional write > of 32 parallel puts of 100 bytes with If-None-Match: * exactly one wins',
      'a conditional write > of 32 parallel puts of 102400 bytes with If-None-Match: * exactly one wins',
      'a conditional write > of 32 parallel puts with If-Match of one ETag exactly one wins',
    ],
  },
  {
    reason:
      'It draws the ids of uploads by chance, and lists the uploads of one key by them, not as they began.',
    isRace: true,
    claims: [
      'the uploads of a bucket > multipart uploads are listed by key and start time, with a prefix, also in pages',
    ],
  },
  {
    reason:
      'Changes are read and written without holding what is between: of parallel ones a shorter retention may be the last (semantics B.4 forbids it), and a completion and an abort may both succeed.',
    isRace: true,
    claims: [
      'a retention > is the longest of all that are asked for at once in compliance mode',
      'a completion > of a completion in parallel with an abort one wins, and the other is NoSuchUpload',
    ],
  },
  {
    reason:
      'A read takes neither lists nor the star in If-Match and If-None-Match (semantics B.14, RFC 9110).',
    claims: [
      'a conditional read > with If-Match of a list with its ETag',
      'a conditional read > with If-Match: *',
      'a conditional read > with If-None-Match of a list',
      'a conditional read > with If-None-Match: *',
    ],
  },
  {
    reason:
      'A refused range does not tell the size of the object, and a suffix of 0 bytes is the whole (semantics B.14, RFC 9110: not satisfiable).',
    claims: [
      'a range > the range {"first":3} of 3 bytes is InvalidRange, with the size in the error',
      'a range > the range {"first":3,"last":9} of 3 bytes is InvalidRange, with the size in the error',
      'a range > the range {"suffix":0} of 3 bytes is InvalidRange, with the size in the error',
    ],
  },
  {
    reason:
      'What is a delete marker counts as missing (semantics B.3: MethodNotAllowed, or InvalidRequest for a copy), also when it is named; what is read below one is not told of it.',
    claims: [
      'versions > a read of a key with a current delete marker is NoSuchKey, with the id of the marker',
      'versions > a read of a delete marker by its id is MethodNotAllowed',
      'a copy > a copy of a delete marker is NoSuchKey as current version, InvalidRequest by version id',
      'getRetention > of a delete marker is MethodNotAllowed, whether it is current or named',
      'putRetention > of a delete marker is MethodNotAllowed, whether it is current or named',
      'getLegalHold > of a delete marker is MethodNotAllowed, whether it is current or named',
      'putLegalHold > of a delete marker is MethodNotAllowed, whether it is current or named',
      'tags of objects > a delete marker has no tags',
      'an access control list > is that of an object: of a missing one, of a marker and of another owner there is none',
    ],
  },
  {
    reason:
      'A deletion below a delete marker makes no other one, a version that is gone is not echoed, and no version id is told by copies, completions, changes of tags and writes while versioning is suspended (semantics B.3 has them all).',
    claims: [
      'after writes by put > enable, put a, delete, delete: the versions are ["marker","marker","a"]',
      'after writes by put > the version id is undefined without versioning, new with versioning, and null while suspended',
      'after writes by copy > enable, put a, delete, delete: the versions are ["marker","marker","a"]',
      'after writes by copy > the version id is undefined without versioning, new with versioning, and null while suspended',
      'after writes by multipart upload > enable, put a, delete, delete: the versions are ["marker","marker","a"]',
      'after writes by multipart upload > the version id is undefined without versioning, new with versioning, and null while suspended',
      'versions > a delete returns the id of its delete marker, or of the version it removed',
      'a copy > a copy of an old version onto its key creates a new current version',
      'a multipart upload > a repeated completion returns the same answer and creates no second version',
      'tags of objects > each version has its own tags, and tag calls return its id',
      'renaming > a rename leaves old versions and their locks below a delete marker',
    ],
  },
  {
    reason:
      "Another code than the contract's for the same refusal: NoSuchKey for what no version id looks like and for an upload that is over, InvalidPart for a wrong order of parts, InvalidArgument for tags, MalformedXML for rules, InternalError for the completion of what is no upload (semantics B.1).",
    claims: [
      'versions > reading with a malformed version id is InvalidArgument',
      'a multipart upload > a completed upload accepts no parts, and cannot be aborted or listed',
      'a multipart upload > an aborted upload is gone with its parts',
      'a multipart upload > an upload is known only with its bucket and key',
      'a completion > a completion with an invalid list of parts is rejected and keeps the upload',
      'getRetention > of what does not exist is NoSuchKey or NoSuchVersion',
      'putRetention > of what does not exist is NoSuchKey or NoSuchVersion',
      'getLegalHold > of what does not exist is NoSuchKey or NoSuchVersion',
      'putLegalHold > of what does not exist is NoSuchKey or NoSuchVersion',
      'tags of objects > invalid tags are rejected, and change nothing',
      'the CORS rules of a bucket > are refused whole when one of them cannot be, and those of before stay',
    ],
  },
  {
    reason:
      'It takes what the contract refuses: negative and forged markers, part numbers that are none, too much metadata, periods of more than 100 years, redirects to anywhere, the same bucket with another lock flag (semantics B.1, B.2, B.4, B.12, B.13).',
    claims: [
      'buckets > a bucket cannot be created again with another lock flag',
      'objects > user attributes above 2 KB are rejected and nothing is stored',
      'a listing > a listing of a negative number of keys is InvalidArgument',
      'a listing > a listing with the forged token forged is InvalidArgument',
      'a listing > a listing with the forged token a/1 is InvalidArgument',
      'a listing > a listing with the forged token AAAA is InvalidArgument',
      'a listing of versions > a version listing with only a version marker is InvalidArgument',
      'a listing of versions > a version listing of a negative number of entries is InvalidArgument',
      'a multipart upload > creating an upload with a key of 1025 bytes or too much metadata is rejected',
      'a multipart upload > a part with the number 0 is rejected',
      'a multipart upload > a part with the number -1 is rejected',
      'a multipart upload > a part with the number 10001 is rejected',
      'a bucket with object lock > a bucket with object lock may be created again only with object lock',
      'a default retention > is refused as InvalidRetentionPeriod: {"mode":"GOVERNANCE","days":36501}',
      'a default retention > is refused as InvalidRetentionPeriod: {"mode":"GOVERNANCE","years":101}',
      'the redirect of a website > a website redirect must be a path or an address',
      'the website of a bucket > is refused whole when a part of it cannot be, and the one of before stays',
    ],
  },
  {
    reason:
      'A completion must list each part that was uploaded (semantics B.13: those that it leaves out are dropped).',
    claims: [
      'a multipart upload > a completion joins the listed parts and drops the others',
      'the checksum of a multipart upload > takes the parts that the completion lists',
    ],
  },
  {
    reason:
      'A key marker alone begins with its key again, one whose version is gone skips the other versions of the key, and uploads are left out where they should be folded (semantics B.12).',
    claims: [
      'a listing of versions > a version listing with only a key marker continues after that key',
      'a listing of versions > a version listing continues correctly when the version of its marker was deleted meanwhile',
      'the uploads of a bucket > multipart uploads are grouped below a delimiter, also in pages',
      'the uploads of a bucket > a listing of multipart uploads with only a key marker continues with the next key',
    ],
  },
  {
    reason:
      'Names of attributes have hyphens for underscores, a redirect is not changed by a copy, and rules come back in another order, with parts of them filled in or left out.',
    claims: [
      'objects > get and head return attributes as they were put',
      'the redirect of a website > the website redirect of an object is an attribute that is copied and replaced',
      'the CORS rules of a bucket > are told as they were put, the later in place of the earlier, until they are deleted',
      'the website of a bucket > is told as it was put, the later in place of the earlier, until it is deleted',
    ],
  },
  {
    reason:
      "A lifecycle loses the sizes of its filters and the number of versions to keep, and tells a rule for all as one with an empty prefix; a rule's name is told as it is, and no expiration by copies and completions (semantics B.7).",
    claims: [
      'the lifecycle of a bucket > is told as it was put, also with sizes, without a filter, and with a prefix of before filters',
      'an object that a rule lets expire > says so when it is put, and to whoever reads it',
      'an object that a rule lets expire > says so when it is copied, and when it is completed',
    ],
  },
  {
    reason: 'It lies in the region `default`, whatever the signature says (semantics B.2).',
    claims: ['buckets > a bucket is in the region of the store'],
  },
  {
    reason:
      'It answers for a public access block where none was put (semantics B.1: a code of its own), and takes a policy about another bucket (semantics B.6 refuses it).',
    claims: [
      'a policy > that cannot be read is refused, and the one before stays',
      'a public access block > is told as it was put, and can be removed',
    ],
  },
  {
    reason: `A list that does not name the owner takes the bucket from its owner; READ gives no location; WRITE on an object does nothing; and WRITE on a bucket is also the right to remove others' objects, versions and uploads, which its owner has too. The specification gives and takes otherwise ("Authentication" 6, "Access rights"; semantics B.5).`,
    claims: [
      'a user of another project to whom a list gives > READ on the bucket lists it, and reads nothing in it',
      'a user of another project to whom a list gives > WRITE on the bucket adds objects, which are then the writer’s',
      'a user of another project to whom a list gives > WRITE on the bucket, and puts with the canned list bucket-owner-read',
      'a user of another project to whom a list gives > WRITE on an object changes that one, and adds none',
      'a user of another project to whom a list gives > everything removes no version for good but their own',
      'a user of another project to whom a list gives > WRITE on the bucket uploads in parts, and drops its own upload only',
      'an access control list > that names others only takes nothing from the owner',
    ],
  },
  {
    reason:
      'A policy is asked for less: lists, tags and locks that come with an object take no rights of their own, what a policy allows opens locks too, conditions on what is put reach no uploads nor tags, and UploadPartCopy is refused what it allows (semantics B.6, specification, "Authentication" 8).',
    claims: [
      'a policy > what comes with an object takes a right of its own',
      'a policy > locks that come with an object take rights of their own',
      'a policy > full privileges of another project open no lock, whatever the policy allows',
      'a policy > a copy takes the right to read its source, of that version, and its tags',
      'a policy > conditions are those of the parsed request',
      'a policy > tags that are there and tags that come',
    ],
  },
  {
    reason:
      'Of an encrypted object a missing key and a wrong one are InvalidArgument, and a key for a plain object is passed over (semantics B.10: InvalidRequest, AccessDenied).',
    claims: [
      "an object under a customer's key > of 10 bytes cannot be read or headed without the key",
      "an object under a customer's key > of 500000 bytes cannot be read or headed without the key",
      "an object under a customer's key > of 10 bytes is refused to another key",
      "an object under a customer's key > of 500000 bytes is refused to another key",
      "an object under a customer's key > is another thing than a plain one, which takes no key",
      "an object under a customer's key > may have versions under other keys, and plain ones",
      "a copy with customers' keys > of a plain source takes no key for it",
      "an upload under a customer's key > refuses a part without its key, and one with another",
      "an upload under a customer's key > takes no key for its parts when it was begun without",
      "an upload under a customer's key > is listed and completed with the key too, if it is the right one",
      "an upload under a customer's key > takes parts from objects under other keys",
    ],
  },
  {
    reason:
      'It copies nothing that is encrypted (NotImplemented), leaves in plain what a copy is to encrypt, which the client refuses to take for done, and knows no change of keys by a copy onto itself (semantics B.10).',
    claims: [
      "a copy with customers' keys > from plain to ours has the bytes of its source",
      "a copy with customers' keys > from plain to other has the bytes of its source",
      "a copy with customers' keys > from ours to plain has the bytes of its source",
      "a copy with customers' keys > from ours to ours has the bytes of its source",
      "a copy with customers' keys > from ours to other has the bytes of its source",
      "a copy with customers' keys > from other to plain has the bytes of its source",
      "a copy with customers' keys > from other to ours has the bytes of its source",
      "a copy with customers' keys > from other to other has the bytes of its source",
      "a copy with customers' keys > of a small encrypted source needs the key of it, and the right one",
      "a copy with customers' keys > of a large encrypted source needs the key of it, and the right one",
      "a copy with customers' keys > onto itself with a new key changes the key, and nothing else: 10 bytes",
      "a copy with customers' keys > onto itself with a new key changes the key, and nothing else: 300000 bytes",
      "a copy with customers' keys > onto itself encrypts what was plain, and the other way round",
      "a copy with customers' keys > is held to what it expects of both ends",
      "a copy with customers' keys > may be asked for a checksum",
      "an upload under a customer's key > may be copied under its key, under another, and to a plain object",
    ],
  },
];
