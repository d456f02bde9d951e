/**
 * Creates self-signed certificates for tests. Node can parse X.509 certificates but not create
 * them, so this file writes the DER encoding itself.
 */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface TestCertificate {
  /** Certificate in PEM format. It is also the CA certificate that verifies it. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  readonly names?: readonly string[];
  /** End of validity in milliseconds since 1970. */
  readonly notAfter?: number;
}

const OID = {
  ecdsaWithSha256: '06082a8648ce3d040302',
  commonName: '0603550403',
  subjectAltName: '0603551d11',
  basicConstraints: '0603551d13',
} as const;
const LOOPBACK = Buffer.from([127, 0, 0, 1]);
const NOT_BEFORE = Date.UTC(2020, 0, 1);
const NOT_AFTER = Date.UTC(2120, 0, 1);

/** Creates a certificate. By default it is valid for 127.0.0.1, localhost and `*.localhost`. */
export function makeCertificate(options: CertificateOptions = {}): TestCertificate {
  const { names = ['localhost', '*.localhost'], notAfter = NOT_AFTER } = options;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('ecdsaWithSha256'));
  const name = sequence(
    der(0x31, sequence(oid('commonName'), der(0x0c, Buffer.from('a test of Holdfast')))),
  );
  const alternatives = [
    ...names.map((each) => der(0x82, Buffer.from(each, 'latin1'))),
    der(0x87, LOOPBACK),
  ];
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(NOT_BEFORE), time(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('basicConstraints', sequence(der(0x01, Buffer.from([0xff])))),
        extension('subjectAltName', sequence(...alternatives)),
      ),
    ),
  );
  const signature = sign('sha256', content, privateKey);
  const whole = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    cert: pem('CERTIFICATE', whole),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extension(name: 'basicConstraints' | 'subjectAltName', value: Buffer): Buffer {
  return sequence(oid(name), der(0x04, value));
}

function oid(name: keyof typeof OID): Buffer {
  return Buffer.from(OID[name], 'hex');
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

/** Encodes a time as a DER GeneralizedTime with whole seconds, such as `20260101000000Z`. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text, 'latin1'));
}

function sequence(...items: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(items));
}

function der(tag: number, content: Buffer): Buffer {
  const size = content.byteLength;
  const length =
    size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
