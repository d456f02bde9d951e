/**
 * Parses users, projects and groups, such as `project:user@customer`. The project and the customer may be omitted. The
 * caller's project and customer are then used.
 */

import { usageError } from '../output/command-error.ts';

interface Named {
  readonly project?: string;
  readonly customer?: string;
}

/**
 * Parses `ann`, `photos:ann` or `photos:ann@acme`. Without a colon, the whole text is the name, including the `@` of
 * an email address.
 */
export function parseUser(text: string): Named & { readonly user: string } {
  const { name, ...rest } = parseInProject(text);
  return { user: name, ...rest };
}

/** Parses `admins`, `photos:admins` or `photos:admins@acme`. */
export function parseGroup(text: string): Named & { readonly group: string } {
  const { name, ...rest } = parseInProject(text);
  return { group: name, ...rest };
}

/** Parses `photos` or `photos@acme`. */
export function parseProject(text: string): Named & { readonly project: string } {
  const { name, customer } = splitCustomer(text);
  if (name === '' || name.includes(':')) {
    throw usageError(
      `cannot use "${text}": it names no project`,
      'write PROJECT or PROJECT@CUSTOMER',
    );
  }
  return { project: name, ...customer };
}

function parseInProject(text: string): Named & { readonly name: string } {
  const colon = text.indexOf(':');
  if (text === '') throw usageError('cannot use "": an empty text is not a valid name');
  if (colon < 0) return { name: text };
  const project = text.slice(0, colon);
  const { name, customer } = splitCustomer(text.slice(colon + 1));
  if (project !== '' && name !== '') return { project, name, ...customer };
  throw usageError(
    `cannot use "${text}": a part of the name is missing`,
    'write PROJECT:NAME@CUSTOMER',
  );
}

function splitCustomer(text: string): { readonly name: string; readonly customer: Named } {
  const at = text.lastIndexOf('@');
  if (at < 0) return { name: text, customer: {} };
  return { name: text.slice(0, at), customer: { customer: text.slice(at + 1) } };
}
