/** The rows of an answer that comes as a stream: one of JSON a line. */

import type { z } from 'zod';

import type { ControlClient } from './client.ts';

/** Each as it comes. Rejects with ControlError when the daemon fails on the way. */
export async function* readRows<T>(
  daemon: ControlClient,
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
