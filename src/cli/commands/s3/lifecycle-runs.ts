/**
 * Implements `holdfast s3 lifecycle preview|run|runs`. The commands preview, start and list runs of the lifecycle
 * rules.
 */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';
import { aheadLines, changeLine } from '../../output/lifecycle-text.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { parseAnyWhen } from '../../arguments/when.ts';

export interface PreviewOptions {
  readonly at?: string;
}

type Page = Result<'lifecycle.preview'>;

/** The number of changes per page. It is low, so that output starts before the preview is complete. */
const PAGE_CHANGES = 1000;

export async function previewLifecycle(
  context: Context,
  typed: string | undefined,
  options: PreviewOptions,
): Promise<void> {
  const bucket = typed === undefined ? undefined : parseBucket(typed);
  const at =
    options.at === undefined ? undefined : parseAnyWhen(options.at, context.io.clock.now());
  await context.withDaemon(async (daemon) => {
    const pages = previewPages(daemon, defined({ bucket, at }));
    if (context.json) return printJson(context, pages);
    return printLines(context, pages);
  });
}

async function* previewPages(
  daemon: ControlClient,
  asked: { readonly bucket?: string; readonly at?: number },
): AsyncGenerator<Page, void> {
  let place: { readonly at?: number; readonly after?: string } | undefined = asked;
  while (place) {
    const request = { ...asked, ...place, limit: PAGE_CHANGES };
    const page: Page = await daemon.call('lifecycle.preview', request);
    yield page;
    // The rules of all pages are evaluated at the time of the first page.
    place = page.next === undefined ? undefined : { at: page.at, after: page.next };
  }
}

async function printJson(context: Context, pages: AsyncIterable<Page>): Promise<void> {
  let last: Page | undefined;
  async function* changes() {
    for await (const page of pages) {
      last = page;
      yield page.changes;
    }
  }
  await context.out.jsonList('changes', changes(), () =>
    last ? { at: last.at, clockAheadMs: last.clockAheadMs } : {},
  );
}

async function printLines(context: Context, pages: AsyncIterable<Page>): Promise<void> {
  const { paint } = context.out;
  let [changes, locked, bytes, ahead] = [0, 0, 0, 0];
  for await (const page of pages) {
    await context.out.lines(...page.changes.map((change) => changeLine(change, paint)));
    for (const change of page.changes) {
      if (change.locked) locked += 1;
      else changes += 1;
      if (!change.locked && change.action !== 'mark') bytes += change.sizeBytes;
    }
    ahead = page.clockAheadMs;
  }
  const held = locked === 0 ? '' : `, ${countText(locked, 'version')} locked`;
  const freed = bytes === 0 ? '' : ` (${bytesText(bytes)})`;
  await context.out.lines(
    `${countText(changes, 'change')}${freed}${held}; nothing was changed`,
    ...aheadLines(ahead, paint),
  );
}
