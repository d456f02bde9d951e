/** Reads the gateway's certificate and private key. Checks that they match before the gateway uses them. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';

import { controlledByOthers } from '../base/controlled-by-others.ts';
import { DAY_MS } from '../base/durations.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode, errorMessage } from '../base/errors.ts';
import type { TlsConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

export interface Certificate {
  /** The certificate chain in PEM. `key` is its private key in PEM. */
  readonly cert: string;
  readonly key: string;
  /** When the certificate expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A warning appears when less than this lifetime remains. An automatic renewal would have happened earlier. */
const WARN_BEFORE_MS = 14 * DAY_MS;

type Member = 'certFile' | 'keyFile';

/**
 * Reads a certificate and its private key. Throws ConfigError if a file cannot be used. Accepts an expired certificate.
 */
export function readCertificate(
  tls: Pick<TlsConfig, Member>,
  { configFile }: { readonly configFile: string },
): Certificate {
  const refuse = (member: Member, reason: string, cause?: unknown) => {
    const problem = { path: `storage.tls.${member}`, message: `${tls[member]}: ${reason}` };
    return new ConfigError(configFile, [problem], { verb: 'cannot use', cause });
  };
  const read = <T>(member: Member, parse: (pem: string) => T) => {
    try {
      const pem = readFileSync(tls[member], 'utf8');
      return { pem, parsed: parse(pem) };
    } catch (error) {
      throw refuse(member, reasonOf(member, error), error);
    }
  };
  const cert = read('certFile', (pem) => new X509Certificate(pem));
  const key = read('keyFile', (pem) => privateKey(tls.keyFile, pem));
  if (!cert.parsed.checkPrivateKey(key.parsed)) {
    throw refuse('keyFile', `it is not the key of ${tls.certFile}`);
  }
  const pair = { cert: cert.pem, key: key.pem };
  try {
    // This call checks the other certificates of the chain and the strength of the key. `node:tls` loads slowly, so it
    // is loaded only here.
    process.getBuiltinModule('node:tls').createSecureContext(pair);
  } catch (error) {
    throw refuse('certFile', `it cannot be used: ${errorMessage(error)}`, error);
  }
  return { ...pair, expiresAt: Date.parse(cert.parsed.validTo) };
}

/** Returns a warning if the certificate has expired or expires soon. Otherwise returns undefined. */
export function certificateWarning({ expiresAt }: Certificate, now: number): string | undefined {
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  const way = 'renew it, then run `holdfast config reload`';
  if (expiresAt <= now) return `storage.tls: the certificate expired on ${day}; ${way}`;
  if (expiresAt - now > WARN_BEFORE_MS) return undefined;
  return `storage.tls: the certificate expires on ${day}; ${way}`;
}

/**
 * Reads a private key. Throws if other users may read or replace the file, or if the key is encrypted. The file's group
 * may read it, because system keys often belong to a separate group (`ssl-cert`).
 */
function privateKey(file: string, pem: string): KeyObject {
  const foreign = controlledByOthers(file, { realpathSync, statSync });
  if (foreign !== undefined) throw new Error(foreign);
  if ((statSync(file).mode & 0o007) !== 0) {
    throw new Error(`other users may read it; run: chmod o= '${file}'`);
  }
  if (pem.includes('ENCRYPTED'))
    throw new Error('it is encrypted, and the daemon cannot ask for its passphrase');
  return createPrivateKey(pem);
}

function reasonOf(member: Member, error: unknown): string {
  const code = errorCode(error) ?? '';
  if (!code.startsWith('ERR_')) return failureReason(error, 'file');
  // The error text of OpenSSL does not help the user.
  return member === 'certFile'
    ? 'it contains no PEM certificate'
    : 'it contains no PEM private key';
}
