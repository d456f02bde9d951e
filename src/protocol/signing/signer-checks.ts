/** Checks the credential of version 4 signatures in the Authorization header, in the query, and in POST forms. */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import type { Credential, CredentialScope } from './credential-scope.ts';
import type { SigningCredentials } from './signing-key.ts';
import { dayOf } from './timestamp.ts';

/** The claims of a signature that determine its signing key. */
export interface ScopeClaims {
  readonly credential: Credential;
  readonly dialect: Dialect;
  readonly timestamp: string;
}

/**
 * The credentials that are compared with the signature if the access key is unknown. So response times do not reveal
 * which access keys exist.
 */
export const UNKNOWN_SIGNER: SigningCredentials = {
  accessKeyId: '',
  secretAccessKey: 'secret of an unknown access key',
};

/** Throws AuthorizationHeaderMalformed unless the credential has the expected date, region, service and terminator. */
export function checkScope(claims: ScopeClaims, region: string): void {
  const { scope } = claims.credential;
  const expected = expectedScope(claims, region);
  const wrong = (['date', 'region', 'service', 'terminator'] as const).find(
    (part) => scope[part] !== expected[part],
  );
  if (wrong === undefined) return;
  throw new StorageError(
    'AuthorizationHeaderMalformed',
    `check credential: the ${wrong} '${scope[wrong]}' is wrong; expecting '${expected[wrong]}'`,
    wrong === 'region' ? { details: { Region: region } } : {},
  );
}

export function expectedScope(
  { credential, dialect, timestamp }: ScopeClaims,
  region: string,
): CredentialScope {
  return {
    date: dayOf(timestamp),
    region,
    service: dialect.service,
    terminator: spellingOf(credential.scope.terminator, dialect),
  };
}

/**
 * Returns the expected terminator of the credential scope. In the `svc` dialect, returns it in the case that the client
 * sent. The specification defines `<VENDOR>4_request`, but some clients of that dialect send it in lower case.
 */
function spellingOf(terminator: string, dialect: Dialect): string {
  const same = terminator.toLowerCase() === dialect.terminator.toLowerCase();
  return same && dialect.name === 'svc' ? terminator : dialect.terminator;
}

export function unknownKey(accessKeyId: string): StorageError {
  return new StorageError(
    'InvalidAccessKeyId',
    'check credential: the access key id does not exist',
    { details: { AWSAccessKeyId: accessKeyId } },
  );
}
