/** Defines schemas that several parts of `config.yaml` share. */

import { z } from 'zod';

/** The syntax of names. Names appear in logs, in file names of the state folder, and on the command line. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const nameSchema = z
  .string()
  .regex(NAME, 'must be 1 to 63 letters, digits, dots, hyphens or underscores');

/**
 * Names of URL schemes and services. A command accepts `s3:BUCKET` for a service in place of a new target, so `s3`
 * cannot be a target name.
 */
const SCHEMES = ['azure', 'b2', 'file', 'gcs', 'gs', 'http', 'https', 's3'];

/** Names that no target may have. `local` is the embedded store. */
export const RESERVED_TARGETS: ReadonlySet<string> = new Set(['local', ...SCHEMES]);

export const targetNameSchema = nameSchema
  .refine((name) => name !== 'local', 'must not be local, which is the embedded store')
  .refine(
    (name) => name === 'local' || !RESERVED_TARGETS.has(name.toLowerCase()),
    'is reserved: it is the name of a scheme or service; choose another name',
  );

export const regionSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens');

/** How requests are signed: with the `x-amz-` headers of S3, or with the `x-svc-` headers of Holdfast. */
export const protocolSchema = z.enum(['s3', 'svc']);
export type Protocol = z.output<typeof protocolSchema>;

export const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;
export const loopbackSchema = z
  .string()
  .regex(LOOPBACK, 'must be a loopback address, such as 127.0.0.1');

export const MAX_PORT = 65_535;

/** A port number. 0 lets the system choose a port. */
export const portSchema = z
  .int('must be a whole number from 0 to 65535')
  .min(0, 'must be a whole number from 0 to 65535')
  .max(MAX_PORT, 'must be a whole number from 0 to 65535');

export const pathSchema = z
  .string()
  .min(1, 'must not be empty')
  .refine(hasNoNul, 'must not contain NUL');

export function hasNoNul(text: string): boolean {
  return !text.includes('\0');
}
