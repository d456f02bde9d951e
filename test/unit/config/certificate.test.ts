/** Tests of the checks of the gateway's certificate and key before a listener uses them. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { certificateWarning, readCertificate } from '../../../src/config/certificate.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { makeCertificate } from '../../helpers/certificate.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const good = makeCertificate({ notAfter: Date.UTC(2030, 5, 15) });

function files({ cert = good.cert, key = good.key, mode = 0o600 } = {}) {
  const folder = temporaryFolder();
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  chmodSync(keyFile, mode);
  return { certFile, keyFile };
}

const read = (tls: ReturnType<typeof files>) => readCertificate(tls, { configFile: 'config.yaml' });

describe('the certificate file and its key file', () => {
  it.each([0o600, 0o400, 0o640])(
    'Holdfast reads a certificate whose key file has the mode %o',
    (mode) => {
      expect(read(files({ mode }))).toEqual({ ...good, expiresAt: Date.UTC(2030, 5, 15) });
    },
  );

  it.each([
    [
      'is readable by other users',
      files,
      { mode: 0o604 },
      /keyFile: \S+key.pem: other users may read it; run: chmod/,
    ],
    [
      'belongs to another certificate',
      files,
      { key: makeCertificate().key },
      /keyFile: \S+: it is not the key of \S+/,
    ],
    [
      'is not a private key',
      files,
      { key: good.cert },
      /keyFile: \S+: it contains no PEM private key/,
    ],
    [
      'is encrypted',
      files,
      { key: good.key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE') },
      /keyFile: \S+: it is encrypted/,
    ],
  ])('Holdfast refuses a certificate whose key %s', (_, make, options, message) => {
    expect(() => read(make(options))).toThrow(message);
  });

  it('Holdfast refuses a certificate file that contains no PEM certificate', () => {
    expect(() => read(files({ cert: 'hello' }))).toThrow(
      /^cannot use config.yaml: storage.tls.certFile: \S+cert.pem: it contains no PEM certificate$/,
    );
  });

  it('Holdfast refuses a certificate with invalid trailing data', () => {
    const cert = `${good.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`;
    expect(() => read(files({ cert }))).toThrow(/certFile: \S+: it cannot be used: /);
  });

  it('Holdfast refuses a certificate file that does not exist', () => {
    const { keyFile } = files();
    const certFile = `${keyFile}.none`;
    expect(() => read({ certFile, keyFile })).toThrow(/certFile: \S+: the file does not exist$/);
  });

  it.each([
    ['2030-05-31T00:00:00Z', undefined],
    ['2030-06-01T00:00:00Z', 'storage.tls: the certificate expires on 2030-06-15; renew it'],
    ['2030-06-15T00:00:00Z', 'storage.tls: the certificate expired on 2030-06-15; renew it'],
  ])('on %s, a certificate that expires on 2030-06-15 has the warning %s', (now, warning) => {
    const returned = certificateWarning(read(files()), Date.parse(now));
    expect(returned?.split(',')[0]).toBe(warning);
  });
});

describe('the configuration key storage.tls', () => {
  const home = resolveHome({ homeFlag: '/home/of/holdfast', env: {}, cwd: '/' });
  const parse = (text: string) => parseConfig(text, { file: '/etc/holdfast/config.yaml', home });

  it('Holdfast resolves certificate files relative to the folder of the configuration', () => {
    const tls = parse('storage: {tls: {certFile: tls/cert.pem, keyFile: /srv/key.pem}}').storage
      .tls;
    expect(tls).toEqual({
      port: 9443,
      certFile: '/etc/holdfast/tls/cert.pem',
      keyFile: '/srv/key.pem',
    });
  });

  it.each([
    ['{certFile: a}', /storage.tls.keyFile: is missing/],
    ['{certFile: a, keyfile: b}', /unknown key; did you mean keyFile\?/],
    ['{certFile: a, keyFile: b, port: 70000}', /storage.tls.port: must be a whole number/],
    ['true', /storage.tls: must be a map of keys and values/],
  ])('Holdfast refuses storage.tls with the value %s', (tls, message) => {
    expect(() => parse(`storage: {tls: ${tls}}`)).toThrow(message);
  });
});
