/**
 * Verifies the signature of a POST form (semantics B.11.5). The signature is in the form's fields and covers only the
 * policy.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import type { FormFields } from '../form/post-policy.ts';
import { formatIsoDate } from '../dates.ts';
import { parseCredential } from './credential-scope.ts';
import { MAX_EXPIRES_SECONDS } from './presigned.ts';
import { MAX_SKEW_MS } from './request-time.ts';
import { signatureV2Of, type SignatureV2 } from './signature-v2.ts';
import { checkScope, expectedScope, UNKNOWN_SIGNER, unknownKey } from './signer-checks.ts';
import type { SigningCredentials, SigningKeys } from './signing-key.ts';
import { sameSignature, signatureOf } from './string-to-sign.ts';
import { parseTimestamp } from './timestamp.ts';

export interface VerifyFormOptions<K extends SigningCredentials> {
  readonly dialect: Dialect;
  /** The cache of signing keys. All requests share it, so that each key is derived only once a day. */
  readonly keys: SigningKeys;
  readonly findKey: (accessKeyId: string) => K | undefined;
  readonly region: string;
  readonly signatureV2?: SignatureV2 | undefined;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
}

export interface VerifiedForm<K extends SigningCredentials> {
  readonly accessKey: K;
  /** The time of the signature in milliseconds since 1970. */
  readonly signedAt: number;
  /** The signature version as policy conditions spell it. */
  readonly signatureVersion: 'AWS' | 'AWS4-HMAC-SHA256';
  /** The signed policy, in base64. */
  readonly policy: string;
}

const TOKEN = /^x-(?:svc|amz)-security-token$/;

/**
 * Verifies a form, and returns its signer and policy. Returns undefined for an anonymous form, which has neither
 * policy nor signature. Throws the StorageError for the response. The caller must still check the policy.
 */
export function verifyForm<K extends SigningCredentials>(
  fields: FormFields,
  options: VerifyFormOptions<K>,
): VerifiedForm<K> | undefined {
  const { headerPrefix } = options.dialect;
  if ([...fields.keys()].some((name) => TOKEN.test(name))) {
    throw new StorageError('InvalidToken', 'check form: session tokens are not supported');
  }
  const signed4 = ['algorithm', 'credential', 'date', 'signature'].map(
    (name) => headerPrefix + name,
  );
  const isSigned4 = signed4.some((name) => fields.has(name));
  const isSigned2 = fields.has(KEY_FIELD) || fields.has('signature');
  if (!isSigned4 && !isSigned2 && !fields.has('policy')) return undefined;
  if (isSigned4 && isSigned2) throw badField('signature', 'the form must have only one signature');
  return isSigned2 ? verifyVersion2(fields, options) : verifyVersion4(fields, options);
}

function verifyVersion4<K extends SigningCredentials>(
  fields: FormFields,
  { dialect, keys, findKey, region, now }: VerifyFormOptions<K>,
): VerifiedForm<K> {
  const read = (name: string) => needed(fields, dialect.headerPrefix + name);
  const policy = needed(fields, 'policy');
  const [signature, timestamp] = [read('signature'), read('date')];
  if (read('algorithm') !== dialect.algorithm) {
    throw badField(`${dialect.headerPrefix}algorithm`, `it must be ${dialect.algorithm}`);
  }
  const credential = parseCredential(read('credential'));
  if (!credential)
    throw badField(
      `${dialect.headerPrefix}credential`,
      'it must be key/date/region/service/terminator',
    );
  const signedAt = parseTimestamp(timestamp);
  if (signedAt === undefined)
    throw badField(`${dialect.headerPrefix}date`, 'it must have the form YYYYMMDDThhmmssZ');
  checkAge(signedAt, now);
  const claims = { credential, dialect, timestamp };
  const accessKey = findKey(credential.accessKeyId);
  const signingKey = keys.keyFor(
    accessKey ?? UNKNOWN_SIGNER,
    expectedScope(claims, region),
    dialect,
  );
  const matches = sameSignature(signatureOf(signingKey, policy), signature);
  if (accessKey === undefined) throw unknownKey(credential.accessKeyId);
  checkScope(claims, region);
  if (!matches) throw doesNotMatch(credential.accessKeyId, { policy, signature });
  return { accessKey, signedAt, policy, signatureVersion: 'AWS4-HMAC-SHA256' };
}

const KEY_FIELD = 'awsaccesskeyid';

/** Verifies a form with signature version 2. A form is a write, so the setting for version 2 must be `headers`. */
function verifyVersion2<K extends SigningCredentials>(
  fields: FormFields,
  { findKey, signatureV2, now }: VerifyFormOptions<K>,
): VerifiedForm<K> {
  if (signatureV2 !== 'headers') {
    throw new StorageError(
      'InvalidRequest',
      'check form: signature version 2 is not accepted in forms; use version 4 (AWS4-HMAC-SHA256), or set storage.signatureV2 to headers',
    );
  }
  const [accessKeyId, policy] = [needed(fields, KEY_FIELD), needed(fields, 'policy')];
  const signature = needed(fields, 'signature');
  const accessKey = findKey(accessKeyId);
  const calculated = signatureV2Of((accessKey ?? UNKNOWN_SIGNER).secretAccessKey, policy);
  const matches = sameSignature(calculated, signature);
  if (accessKey === undefined) throw unknownKey(accessKeyId);
  if (!matches) throw doesNotMatch(accessKeyId, { policy, signature });
  return { accessKey, signedAt: now, policy, signatureVersion: 'AWS' };
}

function needed(fields: FormFields, name: string): string {
  const value = fields.get(name);
  if (value) return value;
  throw badField(name, `Bucket POST must contain a field named '${name}'`);
}

function badField(name: string, reason: string): StorageError {
  return new StorageError('InvalidArgument', `read form field ${name}: ${reason}`, {
    details: { ArgumentName: name },
  });
}

/**
 * Throws AccessDenied if the signature is older than MAX_EXPIRES_SECONDS (the limit for presigned URLs) or more than
 * MAX_SKEW_MS in the future. The policy has its own expiration date in addition.
 */
function checkAge(signedAt: number, now: number): void {
  const isEarly = signedAt > now + MAX_SKEW_MS;
  if (!isEarly && now <= signedAt + MAX_EXPIRES_SECONDS * 1000) return;
  throw new StorageError(
    'AccessDenied',
    isEarly ? 'Request is not valid yet.' : 'Request has expired.',
    { details: { ServerTime: formatIsoDate(now) } },
  );
}

function doesNotMatch(
  accessKeyId: string,
  { policy, signature }: { readonly policy: string; readonly signature: string },
): StorageError {
  return new StorageError(
    'SignatureDoesNotMatch',
    'check form: its signature does not match the one calculated for its policy; check your secret access key and signing method',
    {
      details: {
        AWSAccessKeyId: accessKeyId,
        SignatureProvided: signature,
        StringToSign: policy,
      },
    },
  );
}
