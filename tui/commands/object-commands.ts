/** The commands on the screen of a single object. */

import { OBJECTS_COMMANDS, OF_PREFIX } from './objects-commands.ts';
import type { OfPrefix } from './objects-commands.ts';

type Any = (typeof OBJECTS_COMMANDS)[number];
type OfObject = Exclude<Any, { readonly id: OfPrefix | 'objects.upload' }>;

export const OBJECT_COMMANDS = OBJECTS_COMMANDS.filter(
  (command: Any): command is OfObject =>
    command.id !== 'objects.upload' && !OF_PREFIX.some((id) => id === command.id),
);
