/**
 * Validates an object's attributes (specification, "Metadata"). Their names and values must be valid in HTTP headers.
 */

import type { ObjectAttributes } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';
import { holdsControl } from './header-value.ts';

/** The maximum size of the names and values of all user attributes together. Standard attributes do not count. */
const MAX_METADATA_BYTES = 2048;

/** Matches a website redirect target: a path on this service or a URL (semantics B.8). */
const REDIRECT = /^(?:\/|https?:\/\/)/;
/** The maximum size of a website redirect target, as in S3. */
const MAX_REDIRECT_BYTES = 2048;

/** Matches a header name (RFC 9110 `token`) in lowercase, in which `ObjectAttributes` must have its names. */
const ATTRIBUTE_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/**
 * Throws `MetadataTooLarge` if there are too many bytes, `InvalidRedirectLocation` for an invalid redirect target, and
 * `InvalidArgument` for a name or value that is not valid in a header.
 */
export function checkMetadata(attributes: ObjectAttributes | undefined): void {
  const { metadata = {}, ...standard } = attributes ?? {};
  for (const [name, value] of Object.entries(standard)) checkValue(name, value);
  checkRedirect(standard.websiteRedirect);
  let sizeBytes = 0;
  for (const [name, value] of Object.entries(metadata)) {
    checkUserAttribute(name, value);
    sizeBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (sizeBytes <= MAX_METADATA_BYTES) return;
  throw new StorageError(
    'MetadataTooLarge',
    `describe object: the user attributes have ${sizeBytes} bytes; the limit is ${MAX_METADATA_BYTES}`,
    { details: { Size: sizeBytes, MaxSizeAllowed: MAX_METADATA_BYTES } },
  );
}

export function checkRedirect(location: string | undefined): void {
  if (location === undefined) return;
  checkValue('website-redirect-location', location);
  if (REDIRECT.test(location) && Buffer.byteLength(location) <= MAX_REDIRECT_BYTES) return;
  throw new StorageError(
    'InvalidRedirectLocation',
    'describe object: The website redirect location must have a prefix of / or http:// or https://, ' +
      `and at most ${MAX_REDIRECT_BYTES} bytes`,
  );
}

function checkUserAttribute(name: string, value: string): void {
  if (!ATTRIBUTE_NAME.test(name)) {
    throw badAttribute(name, 'the name must be a valid header name in lower case');
  }
  checkValue(name, value);
}

function checkValue(name: string, value: string | undefined): void {
  if (value === undefined) return;
  if (holdsControl(value)) {
    throw badAttribute(name, 'the value must not contain control characters');
  }
  if (!value.isWellFormed()) throw badAttribute(name, 'the value is not well-formed Unicode');
}

function badAttribute(name: string, reason: string): StorageError {
  const shown = name.slice(0, 80).toWellFormed();
  return new StorageError(
    'InvalidArgument',
    `describe object: attribute ${JSON.stringify(shown)}: ${reason}`,
    { details: { ArgumentName: shown } },
  );
}
