/** `<access_key_id>/<YYYYMMDD>/{region}/<service_code>/<VENDOR>4_request` (specification, "Authentication" 3). */

export interface CredentialScope {
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  /** The terminator as it was sent, because its spelling is part of the signed text. */
  readonly terminator: string;
}

export interface Credential {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
}

export function formatScope({ date, region, service, terminator }: CredentialScope): string {
  return `${date}/${region}/${service}/${terminator}`;
}

/** Splits from the right, because access key ids can contain `/`. Returns undefined if a part is missing. */
export function parseCredential(text: string): Credential | undefined {
  const parts = text.split('/');
  const [date, region, service, terminator] = parts.splice(-4);
  const accessKeyId = parts.join('/');
  if (!accessKeyId || !date || !region || !service || !terminator) return undefined;
  return { accessKeyId, scope: { date, region, service, terminator } };
}
