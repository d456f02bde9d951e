/**
 * Reads the fields of a POST form up to its file. The fields are read into memory. The file is returned as a stream.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import { boundaryOf, FormReader, textOf } from './form-reader.ts';
import type { FormFields } from './post-policy.ts';

export interface Form {
  /** The form's values, by field name in lower case. */
  readonly fields: FormFields;
  /** The file name without directories. Empty if the client sent no file name. */
  readonly filename: string;
  /** Yields the bytes of the file. The caller must read them once and to the end. Fields after the file are ignored. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * The size limit for one form field. The longest field is the policy, which has at most 20 KiB, like a bucket policy
 * (security E.2).
 */
const MAX_FIELD_BYTES = 20 * 1024;
/** The total size limit for the fields. They are held in memory before the signature is verified. */
const MAX_ALL_FIELDS_BYTES = 64 * 1024;
/** The maximum number of form fields. The protocol defines far fewer. */
const MAX_FIELDS = 100;

const FILE_FIELD = 'file';

/**
 * Reads the form fields before the file. Throws MalformedPOSTRequest, or MaxMessageLengthExceeded if the fields are too
 * long. If it throws, it closes the stream.
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
