/**
 * Implements `holdfast admin backup-state DIR`. It saves the configuration and the state of this home folder,
 * but no objects.
 */

import { existsSync } from 'node:fs';

import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';

export async function backupState(context: Context, typed: string): Promise<void> {
  const folder = context.path(typed);
  if (existsSync(folder)) {
    const message = `cannot back up the state to ${folder}: it already exists`;
    throw new CommandError('FolderNotUsable', message, 'name a folder that does not exist');
  }
  const loaded = await import('../../../../daemon/offline/backup-state.ts');
  const saved = await loaded.backupState(await context.home(), folder, context.io.clock.now());
  if (context.json) return context.out.json({ folder, ...saved });
  const bytes = saved.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await context.out.lines(
    `saved ${countText(saved.files.length, 'file')}, ${bytesText(bytes)}, to ${visible(folder)}`,
    'the folder contains secrets, so protect it like a key; it does not contain objects',
  );
}
