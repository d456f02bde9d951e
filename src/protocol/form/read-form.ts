/** Reads a form up to its file. The fields are read into memory, and the file is a stream. */

import { StorageError } from '../../object-store/storage-error.ts';
import { boundaryOf, FormReader, textOf } from './form-reader.ts';
import type { FormFields } from './post-policy.ts';

export interface Form {
  /** Values by field name in lower case. */
  readonly fields: FormFields;
  /** The name of the file without directories. Empty if the client sent none. */
  readonly filename: string;
  /** Yields the bytes of the file. The caller must read them once, to the end. Fields after the file are ignored. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * The limit for one field. A policy has at most 20 KiB, like a bucket policy (security E.2), and no other field is longer.
 */
const MAX_FIELD_BYTES = 20 * 1024;
/** The limit for all fields together, which are in memory before the signature is verified. */
const MAX_ALL_FIELDS_BYTES = 64 * 1024;
/** The limit for the number of fields, which is far more than the protocol defines. */
const MAX_FIELDS = 100;

const FILE_FIELD = 'file';

/**
 * Reads the fields before the file. Throws MalformedPOSTRequest, and MaxMessageLengthExceeded if these fields are too long.
 * Closes the stream if it throws.
 */
export async function readForm(
  stream: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<Form> {
  const reader = new FormReader(stream, boundaryOf(contentType));
  try {
    const fields = new Map<string, string>();
    for (let left = MAX_ALL_FIELDS_BYTES; ;) {
      const part = await reader.next();
      if (part === undefined)
        throw malformed('the form has no file; its last field must be `file`');
      const name = part.name.toLowerCase();
      if (name === FILE_FIELD) {
        const { filename = '' } = part;
        return { fields, filename, pieces: () => reader.pieces(), close: () => reader.close() };
      }
      if (fields.has(name)) throw malformed(`the form has the field ${name} twice`);
      if (fields.size === MAX_FIELDS)
        throw malformed(`the form exceeds the limit of ${MAX_FIELDS} fields`);
      const value = await reader.value(Math.min(MAX_FIELD_BYTES, left));
      left -= value.length;
      fields.set(name, textOf(value));
    }
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function malformed(reason: string): StorageError {
  return new StorageError('MalformedPOSTRequest', `read form: ${reason}`);
}
