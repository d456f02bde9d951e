/** `holdfast versions`: every version and delete marker of the keys below a prefix. */

import type { Context } from '../../context.ts';
import { foundNothing } from './found-nothing.ts';
import { withDaemonAt } from '../../arguments/local-place.ts';
import { versionPages } from './pages.ts';
import type { VersionPage } from './pages.ts';
import { parsePlace } from '../../arguments/place.ts';
import { bytesText, timeText, visible } from '../../output/text.ts';

type Version = VersionPage['versions'][number];

export async function versions(context: Context, typed: string): Promise<void> {
  const { bucket, key: prefix } = parsePlace(typed);
  await withDaemonAt(context, { typed, command: 'versions' }, async (daemon) => {
    let count = 0;
    async function* versionsOf(pages: AsyncIterable<VersionPage>) {
      for await (const { versions: found } of pages) {
        count += found.length;
        yield found;
      }
    }
    const found = versionsOf(versionPages(daemon, { bucket, prefix }));
    if (context.json) await context.out.jsonList('versions', found);
    else for await (const page of found) await context.out.lines(...page.map(versionLine));
    const place = { bucket, key: prefix };
    if (count === 0) await foundNothing(context, { place, goal: 'list', noun: 'version' });
  });
}

const SIZE_CELLS = 9;
/** `current` marks what a plain get gives; `deleted` the markers. */
const STATE_CELLS = 'current'.length;

function versionLine(version: Version): string {
  const marker = version.kind === 'delete-marker';
  const size = marker ? '' : bytesText(version.sizeBytes);
  const state = marker ? 'deleted' : version.isLatest ? 'current' : '';
  return [
    timeText(version.lastModifiedAt),
    size.padStart(SIZE_CELLS),
    state.padEnd(STATE_CELLS),
    visible(version.versionId),
    visible(version.key),
  ].join('  ');
}
