/**
 * Formats and parses the credential of a signature,
 * `<access_key_id>/<YYYYMMDD>/{region}/<service_code>/<VENDOR>4_request` (specification, "Authentication" 3).
 */

export interface CredentialScope {
  /** The date of the signature, `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  /** The terminator as sent. Its spelling is part of the signed text. */
  readonly terminator: string;
}

export interface Credential {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
}

export function formatScope({ date, region, service, terminator }: CredentialScope): string {
  return `${date}/${region}/${service}/${terminator}`;
}

/**
 * Parses a credential. Splits it from the right, because an access key ID may contain `/`. Returns undefined if a part
 * is missing.
 */
export function parseCredential(text: string): Credential | undefined {
  const parts = text.split('/');
  const [date, region, service, terminator] = parts.splice(-4);
  const accessKeyId = parts.join('/');
  if (!accessKeyId || !date || !region || !service || !terminator) return undefined;
  return { accessKeyId, scope: { date, region, service, terminator } };
}
