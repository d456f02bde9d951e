/** `holdfast versions`: every version and delete marker of the keys below a prefix. */

import type { Context } from './context.ts';
import { versionPages } from './pages.ts';
import type { VersionPage } from './pages.ts';
import { parsePlace } from './place.ts';
import { bytesText, timeText, visible } from './text.ts';

type Version = VersionPage['versions'][number];

export async function versions(context: Context, typed: string): Promise<void> {
  const { bucket, key: prefix } = parsePlace(typed);
  await context.withDaemon(async (daemon) => {
    const pages = versionPages(daemon, { bucket, prefix });
    if (context.json) return context.out.jsonList('versions', versionsOf(pages));
    let count = 0;
    for await (const page of versionsOf(pages)) {
      count += page.length;
      await context.out.lines(...page.map(versionLine));
    }
    if (count === 0) context.io.stderr.write(`nothing in ${visible(`${bucket}/${prefix}`)}\n`);
  });
}

async function* versionsOf(pages: AsyncIterable<VersionPage>): AsyncGenerator<readonly Version[]> {
  for await (const page of pages) yield page.versions;
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
