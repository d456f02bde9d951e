/**
 * Reads the secret header of a webhook: a single line `Name: value` in a file that other users
 * cannot read.
 */

import { fstatSync, openSync, readFileSync, closeSync, realpathSync, statSync } from 'node:fs';

import { controlledByOthers } from '../../base/controlled-by-others.ts';
import { errorMessage } from '../../base/errors.ts';
import { MonitoringError } from '../monitoring-error.ts';

const MAX_FILE_BYTES = 8 * 1024;
/** Matches a header. The name is a token as in RFC 9110. The value is printable ASCII. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
/** Headers that frame or route the request. A secret header file must not set them. */
const OURS =
  /^(connection|content-length|content-type|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * Returns the header in the file. Throws MonitoringError `Config`. The message never contains the value of the header.
 */
export function readSecretHeader(path: string): Readonly<Record<string, string>> {
  const text = readPrivately(path);
  const [, name, value] = HEADER.exec(text.trim()) ?? [];
  if (name === undefined || value === undefined)
    throw refused(path, 'it must contain one line, Name: value');
  if (OURS.test(name)) throw refused(path, `the header ${name} must not be set`);
  return { [name]: value };
}

function readPrivately(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw refused(path, errorMessage(error));
  }
  try {
    const foreign = controlledByOthers(path, { realpathSync, statSync });
    if (foreign !== undefined) throw refused(path, foreign);
    const { mode, size } = fstatSync(file);
    if ((mode & 0o077) !== 0)
      throw refused(path, `other users can read it; run: chmod 600 '${path}'`);
    if (size > MAX_FILE_BYTES) throw refused(path, `it is larger than ${MAX_FILE_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function refused(path: string, reason: string): MonitoringError {
  return new MonitoringError('Config', `cannot use secret header ${path}: ${reason}`);
}
