/** Exports the listed activity entries to a file, with one JSON object per line. */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Ui } from '../../ui/ui.ts';
import { PromptOverlay } from '../../widgets/prompt.ts';
import type { Activity } from '../../data/activity-log.ts';
import { countText } from '../../../src/text/amounts.ts';
import { fullPath } from '../../text/home-path.ts';

/** Asks for the file path and writes the file. An existing file is never overwritten. */
export function openExport(ui: Ui, rows: readonly Activity[]): void {
  const onEnter = (typed: string) => {
    if (typed.trim() === '') return 'which file?';
    const { folder, userHome } = ui.outside;
    const path = resolve(folder, fullPath(typed.trim(), userHome));
    void ui.attempt(async () => {
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      // File paths are private, so only the owner may read the export.
      await writeFile(path, lines, { flag: 'wx', mode: 0o600 });
      ui.notify(`exported ${countText(rows.length, 'line')} to ${path}`);
    });
    return undefined;
  };
  ui.openOverlay(new PromptOverlay(ui, { label: 'export to: ', text: 'activity.jsonl', onEnter }));
}
