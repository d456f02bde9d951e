/** What leaves the machine in a support bundle: no key, no signature, no address that opens something by itself. */

const HIDDEN = '***';

/** Of links, requests and addresses; each leaves what stands before it. */
const PATTERNS: readonly RegExp[] = [
  // Signatures of links and requests, and tokens of sessions.
  /((?:[?&]|%3F|%26)(?:X-[A-Za-z]+-(?:Signature|Credential|Security-Token)|Signature|AWSAccessKeyId|sig|token)(?:=|%3D))[^&\s"']+/gi,
  /(\bSignature=)[0-9a-f]{16,}/gi,
  /(\bAuthorization["']?\s*[:=]\s*["']?)[^"'\n]+/gi,
  // Passwords in addresses.
  /(\w:\/\/)[^/\s@"']+(?=@)/g,
  /((?:secret|password|passwd|token)[A-Za-z_-]*["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
];

/** Shorter ones would take ordinary words away with them. */
const MIN_SECRET_CHARACTERS = 6;

export type Redact = (text: string) => string;

/** `secrets` are known by their very text, wherever it stands. */
export function redactor(secrets: readonly string[]): Redact {
  const known = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    // A secret may hold another one.
    .toSorted((one, other) => other.length - one.length);
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
    return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), without);
  };
}

/**
 * The configuration as it is used, without comments: those may say anything. Of addresses that are asked only the host is
 * left, since their paths are passwords at many services; of programs only their names.
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
