/**
 * Defines the condition keys that bucket policies can use (semantics B.6). A policy with an unknown key is rejected,
 * because no request has a value for it.
 */

/**
 * The condition keys that do not include a tag key. They are in lowercase, because condition keys are case-insensitive.
 */
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

/** The condition keys that must be followed by `/` and a tag key. The tag key is case-sensitive. */
const TAG_KEYS: ReadonlySet<string> = new Set(['s3:existingobjecttag', 's3:requestobjecttag']);

/** Matches condition keys whose values differ between the objects of one bulk delete. */
const OF_OBJECT = /s3:(?:existingobjecttag|versionid)/i;

/**
 * Returns whether a condition depends on the object, that is, whether its condition key or a variable in its values can
 * have different values for different objects.
 */
export function isOfObject(key: string, values: readonly string[]): boolean {
  return [key, ...values].some((text) => OF_OBJECT.test(text));
}

/** Returns the condition key in the form that `ConditionValues` expects. Returns undefined for an unknown key. */
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
