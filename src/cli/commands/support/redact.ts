/** Removes secrets from the files of a support bundle: keys, signatures, and URLs that grant access. */

const HIDDEN = '***';

/** Matches secrets in URLs, requests and configuration. The first group of each pattern, before the secret, is kept. */
const PATTERNS: readonly RegExp[] = [
  // Signatures of presigned URLs and requests, and session tokens.
  /((?:[?&]|%3F|%26)(?:X-[A-Za-z]+-(?:Signature|Credential|Security-Token)|Signature|AWSAccessKeyId|sig|token)(?:=|%3D))[^&\s"']+/gi,
  /(\bSignature=)[0-9a-f]{16,}/gi,
  /(\bAuthorization["']?\s*[:=]\s*["']?)[^"'\n]+/gi,
  // User names and passwords in URLs.
  /(\w:\/\/)[^/\s@"']+(?=@)/g,
  /((?:secret|password|passwd|token)[A-Za-z_-]*["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
];

/** The minimum length of a known secret to remove. A shorter secret could be part of ordinary words. */
const MIN_SECRET_CHARACTERS = 6;

export type Redact = (text: string) => string;

/**
 * Returns a function that replaces the secrets wherever they occur in a text, and everything that matches `PATTERNS`.
 */
export function redactor(secrets: readonly string[]): Redact {
  const known = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    // Longer secrets come first, because a secret may contain another secret.
    .toSorted((one, other) => other.length - one.length);
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
    return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), without);
  };
}

/**
 * Returns the parsed configuration, without comments because they may contain secrets. Keeps only the origin of URLs of
 * webhooks, heartbeats and proxies, because at many services the path is a secret. Keeps only the names of programs,
 * without arguments.
 */
export function publicConfig(config: object): unknown {
  return JSON.parse(
    JSON.stringify(config, (name, value: unknown) => {
      if (/^(?:url|heartbeatUrl|proxy)$/.test(name) && typeof value === 'string')
        return URL.parse(value)?.origin ?? value;
      if (/^(?:argv|command)$/.test(name) && Array.isArray(value))
        return [value[0] as unknown, ...(value.length > 1 ? [HIDDEN] : [])];
      return value;
    }),
  );
}
