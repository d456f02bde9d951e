/** What conditions of a policy may ask of a request (semantics B.6). A name that is none of these would never match. */

/** Lower case, since names of keys are compared without case. */
const KEYS: ReadonlySet<string> = new Set([
  'aws:currenttime',
  'aws:epochtime',
  'aws:principalarn',
  'aws:principaltype',
  'aws:referer',
  'aws:securetransport',
  'aws:sourceip',
  'aws:useragent',
  'aws:userid',
  'aws:username',
  's3:authtype',
  's3:delimiter',
  's3:if-match',
  's3:if-none-match',
  's3:locationconstraint',
  's3:max-keys',
  's3:object-lock-legal-hold',
  's3:object-lock-mode',
  's3:object-lock-remaining-retention-days',
  's3:object-lock-retain-until-date',
  's3:prefix',
  's3:requestobjecttagkeys',
  's3:signatureage',
  's3:signatureversion',
  's3:tlsversion',
  's3:versionid',
  's3:x-amz-acl',
  's3:x-amz-content-sha256',
  's3:x-amz-copy-source',
  's3:x-amz-grant-full-control',
  's3:x-amz-grant-read',
  's3:x-amz-grant-read-acp',
  's3:x-amz-grant-write',
  's3:x-amz-grant-write-acp',
  's3:x-amz-metadata-directive',
  's3:x-amz-server-side-encryption',
  's3:x-amz-server-side-encryption-aws-kms-key-id',
  's3:x-amz-server-side-encryption-customer-algorithm',
  's3:x-amz-storage-class',
]);

/** Followed by `/` and the key of a tag, whose case counts. */
const TAG_KEYS: ReadonlySet<string> = new Set(['s3:existingobjecttag', 's3:requestobjecttag']);

/** Of these, what the request says of one object: another object of a bulk delete has other values. */
const OF_OBJECT = /s3:(?:existingobjecttag|versionid)/i;

/** Whether a condition asks for any of them, by its key or by a variable in its values. */
export function isOfObject(key: string, values: readonly string[]): boolean {
  return [key, ...values].some((text) => OF_OBJECT.test(text));
}

/** The key as `ConditionValues` knows it; undefined for one that there is not. */
export function conditionKey(written: string): string | undefined {
  const slash = written.indexOf('/');
  if (slash < 0) {
    const name = written.toLowerCase();
    return KEYS.has(name) ? name : undefined;
  }
  const name = written.slice(0, slash).toLowerCase();
  const tag = written.slice(slash);
  return TAG_KEYS.has(name) && tag.length > 1 ? name + tag : undefined;
}
