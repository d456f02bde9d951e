/** Verifies the signer of a form's policy (semantics B.11.5): the form's fields contain the signature, which covers only the policy. */

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
  /** Kept between requests, so that a key is derived once a day. */
  readonly keys: SigningKeys;
  readonly findKey: (accessKeyId: string) => K | undefined;
  readonly region: string;
  readonly signatureV2?: SignatureV2 | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface VerifiedForm<K extends SigningCredentials> {
  readonly accessKey: K;
  /** Milliseconds since 1970. */
  readonly signedAt: number;
  /** As of a request in headers. */
  readonly signatureVersion: 'AWS' | 'AWS4-HMAC-SHA256';
  /** As it was signed: base64. */
  readonly policy: string;
}

const TOKEN = /^x-(?:svc|amz)-security-token$/;

/**
 * Undefined for a form without policy and signature: it is anonymous. Throws the StorageError that the sender is to
 * be told; the policy itself is still to be checked.
 */
export function verifyForm<K extends SigningCredentials>(
  fields: FormFields,
  options: VerifyFormOptions<K>,
): VerifiedForm<K> | undefined {
  const { headerPrefix } = options.dialect;
  if ([...fields.keys()].some((name) => TOKEN.test(name))) {
    throw new StorageError('InvalidToken', 'check form: session tokens are not issued here');
  }
  const signed4 = ['algorithm', 'credential', 'date', 'signature'].map(
    (name) => headerPrefix + name,
  );
  const isSigned4 = signed4.some((name) => fields.has(name));
  const isSigned2 = fields.has(KEY_FIELD) || fields.has('signature');
  if (!isSigned4 && !isSigned2 && !fields.has('policy')) return undefined;
  if (isSigned4 && isSigned2) throw badField('signature', 'a form has one signature, not two');
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
  if (!credential) throw badField(`${dialect.headerPrefix}credential`, 'it is not valid');
  const signedAt = parseTimestamp(timestamp);
  if (signedAt === undefined) throw badField(`${dialect.headerPrefix}date`, 'it is not valid');
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

/** A form writes, which no link of version 2 may: it is taken where headers of that version are. */
function verifyVersion2<K extends SigningCredentials>(
  fields: FormFields,
  { findKey, signatureV2, now }: VerifyFormOptions<K>,
): VerifiedForm<K> {
  if (signatureV2 !== 'headers') {
    throw new StorageError(
      'InvalidRequest',
      'check form: signatures of version 2 are not accepted in forms; use version 4 (AWS4-HMAC-SHA256), or set storage.signatureV2 to headers',
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

/** Its own date says when the policy ends; a signature lives no longer than that of a link. */
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
    'check form: its signature does not match the one calculated over its policy; check your secret and how you sign',
    {
      details: {
        AWSAccessKeyId: accessKeyId,
        SignatureProvided: signature,
        StringToSign: policy,
      },
    },
  );
}
