/** Uploads a local file or folder below a prefix. */

import { createReadStream } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { defined } from '../../src/base/defined.ts';
import { mediaTypeOf } from '../../src/base/media-type.ts';
import { isControlError } from '../../src/control/control-error.ts';
import type { Ui, Work } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import { completedPath } from './complete-path.ts';
import { asked, bucketText } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import { bytesText, countText, numberText, percentText } from '../../src/text/amounts.ts';
import { fullPath, shortPath } from '../text/home-path.ts';
import { showFailures } from './many.ts';
import type { Failure } from './many.ts';

export interface UploadTo {
  readonly place: BucketPlace;
  readonly prefix: string;
  readonly changed: () => void;
}

interface Piece {
  readonly path: string;
  readonly key: string;
  readonly sizeBytes: number;
}

/**
 * The maximum number of files in one upload. A larger upload should be a job, because a job resumes
 * after an interruption.
 */
const MOST_FILES = 100_000;
/** The maximum length of a key (S3 limit). */
const MOST_KEY_BYTES = 1_024;

export function openUploadForm(ui: Ui, to: UploadTo): void {
  const { folder, userHome } = ui.outside;
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Upload into ${ui.look.name(`${bucketText(to.place)}/${to.prefix}`)}`,
      act: 'upload',
      fields: [
        {
          name: 'path',
          label: 'file or folder',
          value: `${shortPath(folder, userHome)}/`,
          help: 'a folder is uploaded with all its files and keeps its name',
          check: (text) => (text.trim() === '' ? 'a path is needed' : undefined),
          complete: (text) => completedPath(text, ui.outside),
        },
      ],
      submit: async ({ path = '' }) => {
        const file = resolve(folder, fullPath(path.trim(), userHome));
        await lstat(file);
        void ui.attempt(() => upload(ui, file, to));
      },
    }),
  );
}

async function upload(ui: Ui, path: string, to: UploadTo): Promise<void> {
  const pieces = await ui.work('listing files', ({ abort }) =>
    piecesOf(path, to.prefix, abort.signal),
  );
  if (pieces.length === 0) throw new Error(`upload: ${path} holds no files`);
  const first = await sendAll(ui, { pieces, to, overwrite: false });
  const there = first.conflicts;
  const again =
    there.length > 0 && (await mayReplace(ui, there))
      ? await sendAll(ui, { pieces: there, to, overwrite: true })
      : undefined;
  to.changed();
  showFailures(ui, 'uploading', [...first.failures, ...(again?.failures ?? [])]);
  const [done, bytes] = [first.done + (again?.done ?? 0), first.bytes + (again?.bytes ?? 0)];
  ui.notify(`uploaded ${countText(done, 'file')}, ${bytesText(bytes)}`);
}

function mayReplace(ui: Ui, there: readonly Piece[]): Promise<boolean> {
  const names = there.slice(0, 5).map(({ key }) => `  ${ui.look.name(key)}`);
  const rest =
    there.length > names.length ? [`  and ${numberText(there.length - names.length)} more`] : [];
  return ui.ask({
    title: `Replace ${countText(there.length, 'object')}?`,
    facts: [
      'These objects already exist:',
      ...names,
      ...rest,
      'If the bucket has versioning, the replaced content stays as an older version.',
    ],
  });
}

/** Lists the files to upload. Skips symbolic links and devices. */
async function piecesOf(path: string, prefix: string, signal: AbortSignal): Promise<Piece[]> {
  const found = await lstat(path);
  const key = prefix + basename(path);
  if (found.isFile()) return [{ path, key, sizeBytes: found.size }];
  if (!found.isDirectory()) throw new Error(`upload: ${path} is neither a file nor a folder`);
  const pieces: Piece[] = [];
  await walk({ folder: path, prefix: `${key}/`, pieces, signal });
  return pieces;
}

interface Walk {
  readonly folder: string;
  readonly prefix: string;
  readonly pieces: Piece[];
  readonly signal: AbortSignal;
}

async function walk({ folder, prefix, pieces, signal }: Walk): Promise<void> {
  for await (const entry of await opendir(folder)) {
    signal.throwIfAborted();
    const [path, key] = [join(folder, entry.name), prefix + entry.name];
    if (entry.isDirectory()) await walk({ folder: path, prefix: `${key}/`, pieces, signal });
    if (!entry.isFile()) continue;
    if (pieces.length >= MOST_FILES) {
      throw new Error(
        `upload: more than ${numberText(MOST_FILES)} files: create a job for the folder`,
      );
    }
    pieces.push({ path, key, sizeBytes: (await lstat(path)).size });
  }
}

interface Sending {
  readonly pieces: readonly Piece[];
  readonly to: UploadTo;
  readonly overwrite: boolean;
}

interface Sent {
  done: number;
  bytes: number;
  readonly conflicts: Piece[];
  readonly failures: Failure[];
}

async function sendAll(ui: Ui, { pieces, to, overwrite }: Sending): Promise<Sent> {
  const sent: Sent = { done: 0, bytes: 0, conflicts: [], failures: [] };
  const total = pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await ui.work('uploading', async (work) => {
    work.left = 'it stops; the remaining files are not uploaded';
    for (const piece of pieces) {
      work.abort.signal.throwIfAborted();
      const report = (bytes: number) => showProgress(ui, work, (sent.bytes + bytes) / total);
      try {
        await send(ui, to.place, { piece, overwrite, report, signal: work.abort.signal });
        sent.done += 1;
        sent.bytes += piece.sizeBytes;
      } catch (error) {
        work.abort.signal.throwIfAborted();
        if (!overwrite && isThere(error)) sent.conflicts.push(piece);
        else sent.failures.push({ name: piece.path, reason: ui.errorWords(error) });
      }
    }
  });
  return sent;
}

function showProgress(ui: Ui, work: Work, share: number): void {
  work.progress = Number.isFinite(share) ? percentText(share) : '';
  ui.changes.soon();
}

function isThere(error: unknown): boolean {
  return isControlError(error, 'Storage') && error.storageCode === 'PreconditionFailed';
}

interface OneSending {
  readonly piece: Piece;
  readonly overwrite: boolean;
  readonly report: (bytes: number) => void;
  readonly signal: AbortSignal;
}

async function send(
  ui: Ui,
  place: BucketPlace,
  { piece: { path, key, sizeBytes }, overwrite, report, signal }: OneSending,
): Promise<void> {
  if (Buffer.byteLength(key) > MOST_KEY_BYTES) throw new Error('its key would be too long');
  const contentType = mediaTypeOf(path);
  const attributes = contentType === undefined ? undefined : { contentType };
  const params = defined({ ...asked(place), key, sizeBytes, attributes, overwrite });
  const { stream } = await ui.call('objects.put', params, { signal });
  const client = await ui.link.client();
  await client.upload(stream, counted(path, report), { signal });
  await ui.call('objects.put.wait', { stream }, { signal });
}

async function* counted(
  path: string,
  report: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    yield chunk as Uint8Array;
    bytes += (chunk as Uint8Array).byteLength;
    report(bytes);
  }
}
