/** A certificate for loopback and an authority that signed it, both made for one run. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CertificateFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const ALTERNATIVE_NAMES = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
const KEY = ['-newkey', 'rsa:2048', '-noenc'];

/** By openssl, as its user would. */
export function makeCertificate(folder: string): CertificateFiles {
  mkdirSync(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void =>
    void execFileSync('openssl', args, { stdio: 'pipe' });
  const authority = [
    '-keyout',
    file('ca-key.pem'),
    '-out',
    file('ca.pem'),
    '-subj',
    '/CN=Holdfast test authority',
  ];
  openssl('req', '-x509', ...KEY, ...authority, '-days', '2');
  const request = [
    '-keyout',
    file('key.pem'),
    '-out',
    file('request.pem'),
    '-subj',
    '/CN=localhost',
  ];
  openssl('req', ...KEY, ...request);
  writeFileSync(file('extensions'), `${ALTERNATIVE_NAMES}\n`);
  const signer = ['-CA', file('ca.pem'), '-CAkey', file('ca-key.pem'), '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-in',
    file('request.pem'),
    ...signer,
    '-extfile',
    file('extensions'),
    '-days',
    '2',
    '-out',
    file('cert.pem'),
  );
  chmodSync(file('key.pem'), 0o600);
  return { caFile: file('ca.pem'), certFile: file('cert.pem'), keyFile: file('key.pem') };
}
