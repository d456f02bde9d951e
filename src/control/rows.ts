/** Reads a result that arrives as a stream of rows, one JSON value per line. */

import type { z } from 'zod';

import type { ControlClient } from './client.ts';

/**
 * Yields each row as it arrives. Rejects with ControlError if the daemon fails before the last row.
 */
export async function* readRows<T>(
  daemon: Pick<ControlClient, 'download'>,
  { stream, row }: { readonly stream: string; readonly row: z.ZodType<T> },
  signal?: AbortSignal,
): AsyncGenerator<T, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of daemon.download(stream, { signal })) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield row.parse(JSON.parse(line));
  }
}
