/** What can be done with one object. */

import type { Command } from '../../keys/command.ts';
import { OBJECTS_COMMANDS } from '../objects/commands.ts';

const OF_A_PREFIX: ReadonlySet<string> = new Set([
  'objects.upload',
  'objects.goTo',
  'objects.showDeleted',
  'objects.settings',
]);

export const OBJECT_COMMANDS: readonly Command[] = OBJECTS_COMMANDS.filter(
  ({ id }) => !OF_A_PREFIX.has(id),
);
