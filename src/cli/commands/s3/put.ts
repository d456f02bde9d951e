/** Implements `holdfast s3 put`. It uploads a file or standard input and waits until the object is durable. */

import { basename } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { mediaTypeOf } from '../../../base/media-type.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { type KeyOptions, readKeyFile } from '../../arguments/key-file.ts';
import { parsePlace, type Place, underOwnName } from '../../arguments/thing.ts';
import { Progress } from '../../output/progress.ts';
import { visible } from '../../output/text.ts';
import { tookText } from '../../../text/time.ts';
import { shown } from './transfer.ts';
import { openFile, send } from './upload.ts';
import type { Source } from './upload.ts';

export interface PutOptions extends KeyOptions {
  readonly contentType?: string;
}

export async function put(
  context: Context,
  {
    file,
    object,
    contentType,
    keyFile,
  }: PutOptions & { readonly file: string; readonly object: string },
): Promise<void> {
  const place = placeFor(file, object);
  const customerKey = await readKeyFile(context, keyFile);
  const source = await openSource(context, file);
  const progress = new Progress(context);
  const { clock } = context.io;
  const startedAt = clock.monotonic();
  try {
    const shownAs = { title: `uploading ${visible(place.key)}`, totalBytes: source.sizeBytes };
    const bytes = shown(progress, shownAs, source.bytes);
    // The default media type is derived from the key, because clients see the key and not the name of the local file.
    const attributes = defined({ contentType: contentType ?? mediaTypeOf(place.key) });
    const outcome = await context.withDaemon((daemon) =>
      send(daemon, defined({ ...place, attributes, customerKey }), { ...source, bytes }),
    );
    progress.end();
    if (context.json) return await context.out.json(outcome);
    const version = outcome.versionId === undefined ? '' : `, version ${outcome.versionId}`;
    const name = visible(`${place.bucket}/${place.key}`);
    const took = tookText(clock.monotonic() - startedAt);
    await context.out.lines(`stored ${name}${version}${took}`);
  } finally {
    progress.end();
    await source.close();
  }
}

/**
 * Returns the bucket and key to write. If the key is empty or ends in a slash, appends the name of the file. In that
 * case, throws a usage error if the file is standard input.
 */
function placeFor(file: string, object: string): Place {
  const place = underOwnName(parsePlace(object), file === '-' ? '' : basename(file));
  if (place.key !== '' && !place.key.endsWith('/')) return place;
  throw usageError(
    `cannot put standard input to ${object}: standard input has no file name`,
    'write the whole key of the object',
  );
}

async function openSource(context: Context, file: string): Promise<Source> {
  if (file === '-') return { bytes: context.io.stdin, close: async () => undefined };
  return openFile(context.path(file));
}
