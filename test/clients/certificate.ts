/** A certificate for loopback and an authority that signed it, both made for one run. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CertificateFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Below it a host names a bucket. curl finds all of `.localhost` on this machine; `*.localhost` no library takes. */
export const BASE_NAME = 'store.localhost';

const NAMES = ['DNS:localhost', `DNS:${BASE_NAME}`, `DNS:*.${BASE_NAME}`, 'IP:127.0.0.1'];

/** Authority, request, certificate. */
const COMMANDS = [
  'req -x509 -newkey rsa:2048 -nodes -keyout ca-key.pem -out ca.pem -subj /CN=authority -days 2',
  'req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost',
  'x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -extfile extensions -days 2 -out cert.pem',
];

/** By openssl, as its user would. */
export function makeCertificate(folder: string): CertificateFiles {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'extensions'), `subjectAltName=${NAMES.join(',')}\n`);
  for (const command of COMMANDS)
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
  const [caFile = '', certFile = '', keyFile = ''] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) =>
    join(folder, name),
  );
  return { caFile, certFile, keyFile };
}
