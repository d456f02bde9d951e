/**
 * Creates multipart/form-data bodies and signed POST policies as browsers and web servers create
 * them.
 */

import { createHmac } from 'node:crypto';

import type { Dialect } from '../../src/protocol/dialect.ts';
import {
  deriveSigningKey,
  type SigningCredentials,
} from '../../src/protocol/signing/signing-key.ts';
import { formatTimestamp } from '../../src/protocol/signing/timestamp.ts';

export const BOUNDARY = '----WebKitFormBoundaryABCdef0123456789';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export type Fields = Readonly<Record<string, string>>;

export interface FormFile {
  readonly name?: string;
  readonly content: string | Uint8Array;
}

/**
 * Returns the body of an upload form. It contains the fields of `fields`, the file, and the fields
 * of `after`.
 */
export function formBody(fields: Fields, file?: FormFile, after: Fields = {}): Buffer {
  const part = (name: string, content: string | Uint8Array, filename?: string) =>
    Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
          `${filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: text/x-of-the-part`}\r\n\r\n`,
      ),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]);
  return Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => part(name, value)),
    ...(file ? [part('file', file.content, file.name ?? 'from-disk.txt')] : []),
    ...Object.entries(after).map(([name, value]) => part(name, value)),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

export interface PolicySigning {
  readonly dialect: Dialect;
  readonly region: string;
  readonly credentials: SigningCredentials;
  /** Time of the signature in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns the form fields that belong to a signature of version 4. The policy must allow these
 * fields.
 */
export function signatureFields({ dialect, region, credentials, now }: PolicySigning): Fields {
  const { headerPrefix, algorithm, service, terminator } = dialect;
  const date = formatTimestamp(now);
  const scope = `${date.slice(0, 8)}/${region}/${service}/${terminator}`;
  return {
    [`${headerPrefix}algorithm`]: algorithm,
    [`${headerPrefix}credential`]: `${credentials.accessKeyId}/${scope}`,
    [`${headerPrefix}date`]: date,
  };
}

/** Returns the form fields `policy` and `x-*-signature` for a policy document. */
export function signPolicy(document: unknown, signing: PolicySigning): Fields {
  const { dialect, region, credentials, now } = signing;
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const policy = Buffer.from(text).toString('base64');
  const { service, terminator } = dialect;
  const scope = { date: formatTimestamp(now).slice(0, 8), region, service, terminator };
  const key = deriveSigningKey(credentials.secretAccessKey, scope, dialect);
  const signature = createHmac('sha256', key).update(policy).digest('hex');
  return { policy, [`${dialect.headerPrefix}signature`]: signature };
}
