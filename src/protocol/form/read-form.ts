/** A form up to its file: the fields in memory, the file's bytes still on their way. */

import { StorageError } from '../../object-store/storage-error.ts';
import { boundaryOf, FormReader, textOf } from './form-reader.ts';
import type { FormFields } from './post-policy.ts';

export interface Form {
  /** Names in lower case. */
  readonly fields: FormFields;
  /** Without folders; empty when the sender did not say. */
  readonly filename: string;
  /** The caller must read it once, to its end. Fields after the file are ignored. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** A policy has at most 20 KB, as that of a bucket (security E.2), and no other field has more. */
const MAX_FIELD_BYTES = 20 * 1024;
/** Limits the memory that fields use before the signature is verified. */
const MAX_ALL_FIELDS_BYTES = 64 * 1024;
/** Far more than the protocol has. */
const MAX_FIELDS = 100;

const FILE_FIELD = 'file';

/** Throws MalformedPOSTRequest, and MaxMessageLengthExceeded for more than may come before the file. */
export async function readForm(
  stream: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<Form> {
  const reader = new FormReader(stream, boundaryOf(contentType));
  try {
    const fields = new Map<string, string>();
    for (let left = MAX_ALL_FIELDS_BYTES; ;) {
      const part = await reader.next();
      if (part === undefined) throw malformed('it has no file; the field `file` must come last');
      const name = part.name.toLowerCase();
      if (name === FILE_FIELD) {
        const { filename = '' } = part;
        return { fields, filename, pieces: () => reader.pieces(), close: () => reader.close() };
      }
      if (fields.has(name)) throw malformed(`it has the field ${name} twice`);
      if (fields.size === MAX_FIELDS) throw malformed(`it has more than ${MAX_FIELDS} fields`);
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
