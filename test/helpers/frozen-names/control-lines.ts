/**
 * Lists the methods, notifications and events of the control protocol with all their fields, taken from their schemas.
 */

import { NOTIFICATIONS } from '../../../src/control/first-messages.ts';
import { PROTOCOL_VERSION } from '../../../src/control/version-mismatch.ts';
import { METHODS } from '../../../src/control/messages.ts';
import { SchemaLines } from './schema-lines.ts';

export function controlLines(): string[] {
  const schemas = new SchemaLines();
  const methods = Object.entries(METHODS).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `protocol ${PROTOCOL_VERSION}`,
    ...methods.flatMap(([name, { params, result }]) =>
      ['', `method ${name}`].concat(
        schemas.of(name, '  params', params),
        schemas.of(name, '  result', result),
      ),
    ),
    ...Object.entries(NOTIFICATIONS).flatMap(([name, type]) =>
      ['', `notification ${name}`].concat(schemas.of(name, '  params', type)),
    ),
  ];
}
