/**
 * Reads a multipart/form-data body (RFC 7578) part by part, so that the whole body need not be in memory. An invalid
 * part is an error instead of being skipped, because the form's policy can only check the fields that were read.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import { DelimitedReader } from './delimited-reader.ts';

export interface FormPart {
  /** The field name with its original case. */
  readonly name: string;
  /** The file name without directories. Present only if the part is a file. */
  readonly filename?: string;
}

/** Matches a multipart boundary (RFC 2046 §5.1.1): 1 to 70 of the characters below. The last one is not a space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const CONTENT_TYPE =
  /^multipart\/form-data[ \t]*;(?:[^"]*;)?[ \t]*boundary=(?:"([^"]*)"|([^";, \t]*))[ \t]*(?:;|$)/i;

/**
 * Returns the boundary from a `Content-Type` header. Throws MalformedPOSTRequest unless the header is
 * multipart/form-data with a valid boundary.
 */
export function boundaryOf(contentType: string): string {
  const match = CONTENT_TYPE.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (BOUNDARY.test(boundary)) return boundary;
  throw malformed('Content-Type must have a boundary of 1 to 70 characters');
}

/** The size limit for the headers of one part. It allows a file name as long as the longest key. */
const MAX_HEAD_BYTES = 4 * 1024;
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

export class FormReader {
  readonly #reader: DelimitedReader;
  readonly #delimiter: Buffer;
  #begun = false;

  constructor(stream: AsyncIterable<Uint8Array>, boundary: string) {
    this.#reader = new DelimitedReader(stream);
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /**
   * Returns the next part, or undefined after the last part. The caller must read the part's bytes with `value` before
   * it calls `next` again. Throws MalformedPOSTRequest, or MaxMessageLengthExceeded if the part's headers are too long.
   */
  async next(): Promise<FormPart | undefined> {
    if (!this.#begun) await this.#begin();
    const after = await this.#reader.exactly(2);
    if (after.equals(Buffer.from('--'))) return undefined;
    if (!after.equals(LINE_END))
      throw malformed('a boundary is not followed by -- or a line break');
    const head = await this.#reader.upTo(HEAD_END, MAX_HEAD_BYTES);
    if (head.length === 0 || head.subarray(0, 2).equals(LINE_END)) {
      throw malformed('a part has no headers');
    }
    return readHead(textOf(head));
  }

  /**
   * Returns the bytes of the current form field or file. Throws MaxMessageLengthExceeded if there are more than
   * `limitBytes` bytes.
   */
  value(limitBytes: number): Promise<Buffer> {
    return this.#reader.upTo(this.#delimiter, limitBytes);
  }

  /**
   * Yields the bytes of the current form field or file as they arrive. No further part can be read afterwards. Throws
   * MalformedPOSTRequest if the boundary after the part is invalid.
   */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.#reader.until(this.#delimiter);
    const after = await this.#reader.exactly(2);
    const isEnd = after.equals(Buffer.from('--')) || after.equals(LINE_END);
    if (!isEnd) throw malformed('the boundary after the file is not valid');
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** Reads the first boundary. Unlike later boundaries, it is not preceded by a line break. */
  async #begin(): Promise<void> {
    this.#begun = true;
    const first = this.#delimiter.subarray(LINE_END.length);
    const begin = await this.#reader.exactly(first.length);
    if (!begin.equals(first)) throw malformed('the body does not begin with its boundary');
  }
}

/** Decodes UTF-8. Throws MalformedPOSTRequest if the bytes are not valid UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw malformed('the text of a part is not valid UTF-8', cause);
  }
}

/**
 * Transfer encodings that leave the bytes unchanged. Any other encoding is rejected, because the bytes would be stored
 * without being decoded.
 */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

function readHead(head: string): FormPart {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!/^[!-9;-~]+$/.test(name) || headers.has(name))
      throw malformed('a part has an invalid header');
    headers.set(name, line.slice(colon + 1).trim());
  }
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!PLAIN_ENCODINGS.has(encoding.toLowerCase())) {
    throw malformed(`Content-Transfer-Encoding ${encoding} is not supported`);
  }
  return readDisposition(headers.get('content-disposition') ?? '');
}

const PARAMETER = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))/y;

function readDisposition(value: string): FormPart {
  const kind = 'form-data';
  if (value.slice(0, kind.length).toLowerCase() !== kind) {
    throw malformed('a part has no Content-Disposition with the type form-data');
  }
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = kind.length;
  let read = kind.length;
  for (let match = PARAMETER.exec(value); match; match = PARAMETER.exec(value)) {
    const name = (match[1] ?? '').toLowerCase();
    if (parameters.has(name))
      throw malformed(`a Content-Disposition has the parameter ${name} twice`);
    parameters.set(name, unescaped(match[2] ?? match[3] ?? ''));
    read = PARAMETER.lastIndex;
  }
  if (value.slice(read).trim() !== '') throw malformed('a Content-Disposition is not valid');
  const name = parameters.get('name');
  if (!name) throw malformed('a part has no name');
  const filename = parameters.get('filename');
  return filename === undefined ? { name } : { name, filename: withoutFolders(filename) };
}

/**
 * Decodes the escapes in a parameter. Some clients escape with backslashes. Browsers escape with percent signs (HTML
 * standard, "multipart/form-data encoding").
 */
function unescaped(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll(/%0d/gi, '\r')
    .replaceAll(/%0a/gi, '\n');
}

/** Removes the directories from a file name, because old browsers send the full local path. */
function withoutFolders(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
}

function malformed(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedPOSTRequest', `read form: ${reason}`, { cause });
}
