/**
 * Texts that contain base64 or other encoded bytes. Attackers, users and programs create such
 * texts, and some have readable text around the bytes.
 */

import { noise } from './sample-files.ts';

export function inLines(text: string): string {
  return text.replaceAll(/.{64}/g, '$&\n');
}

export function armored(what: string, bytes: Buffer): string {
  const lines = inLines(bytes.toString('base64'));
  return `-----BEGIN ${what}-----\n\n${lines}\n=njUN\n-----END ${what}-----\n`;
}

export function ascii85(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    let [rest, word] = [bytes.readUInt32BE(at), ''];
    for (let digit = 0; digit < 5; digit++, rest = Math.floor(rest / 85))
      word = String.fromCharCode(33 + (rest % 85)) + word;
    text += word;
  }
  return text;
}

/** Returns a multipart e-mail with a text part and the base64 encoding of `attachment`. */
export function mail(attachment: Buffer): string {
  const head = [
    'From: Ann <ann@example.com>',
    'To: Bob <bob@example.com>',
    'Subject: the figures',
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
    '--b1',
    'Content-Type: application/pdf; name="figures.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
  ];
  return `${head.join('\r\n')}\r\n${inLines(attachment.toString('base64'))}\r\n--b1--\r\n`;
}

export function uuids(seed: number, count: number): string {
  const hex = noise(seed, count * 16).toString('hex');
  return hex.replaceAll(/(.{8})(.{4})(.{4})(.{4})(.{12})/g, '$1-$2-$3-$4-$5\n');
}

export function digests(seed: number, count: number): string {
  return noise(seed, count * 32)
    .toString('hex')
    .replaceAll(/.{64}/g, (digest) => `${digest}  files/${digest.slice(0, 3)}.txt\n`);
}

export const base64 = (seed: number) => noise(seed, 60_000).toString('base64');
export const pem = (seed: number) => Buffer.from(armored('PRIVATE KEY', noise(seed, 2_000)));
export const minified = () => 'function(e,t){return e.map(n=>t[n]??null)};'.repeat(200);
export const sourceMap = () => `\n//# sourceMappingURL=data:application/json;base64,${base64(3)}`;
export const svg = (photo: Buffer) =>
  Buffer.from(`<svg><image href="data:image/png;base64,${photo.toString('base64')}"/></svg>`);
