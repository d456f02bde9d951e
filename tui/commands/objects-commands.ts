/** The commands on the screen that lists the objects below a prefix. */

import type { Command } from './command.ts';

export const OBJECTS_COMMANDS = [
  { id: 'objects.versions', title: 'versions and locks', keys: ['v'], hint: 'versions' },
  { id: 'objects.preview', title: 'preview, as text or bytes', keys: ['p'], hint: 'preview' },
  { id: 'objects.lock', title: 'lock', keys: ['L'], danger: 3, hint: 'lock' },
  { id: 'objects.hold', title: 'legal hold on or off', keys: ['H'], danger: 1 },
  { id: 'objects.delete', title: 'delete', keys: ['d'], danger: 3, hint: 'delete' },
  { id: 'objects.restore', title: 'restore deleted objects', keys: ['R'], danger: 2 },
  { id: 'objects.save', title: 'save to a file', keys: ['s'], hint: 'save' },
  { id: 'objects.upload', title: 'upload a file or a folder', keys: ['U'], hint: 'upload' },
  { id: 'objects.link', title: 'download or upload link', keys: ['u'] },
  { id: 'objects.goTo', title: 'go to a key or prefix', keys: ['g /'] },
  { id: 'objects.showDeleted', title: 'show or hide deleted objects', keys: ['D'] },
  { id: 'objects.usage', title: 'what fills the folder: sizes', keys: ['z'] },
  { id: 'objects.settings', title: 'settings of the bucket', keys: ['e'] },
  { id: 'objects.tags', title: 'tags', keys: ['t'] },
  { id: 'objects.metadata', title: 'metadata', keys: ['m'] },
  { id: 'objects.acl', title: 'permissions of other users (ACL)', keys: ['a'] },
] as const satisfies readonly Command[];

/** The commands that apply to the whole prefix instead of one of its objects. */
export const OF_PREFIX = [
  'objects.goTo',
  'objects.showDeleted',
  'objects.settings',
  'objects.usage',
] as const;
export type OfPrefix = (typeof OF_PREFIX)[number];
