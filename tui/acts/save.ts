/** Saves objects as local files: one object under a chosen name, or many objects below a folder. */

import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { defined } from '../../src/base/defined.ts';
import { failureReason } from '../../src/base/disk-error.ts';
import { errorCode } from '../../src/base/errors.ts';
import type { HeldFolder } from '../../src/mirror/local/held-folder.ts';
import type { Ui, Work } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import { completedFolder, completedPath } from './complete-path.ts';
import { asked } from '../data/place.ts';
import type { ObjectPlace } from '../data/place.ts';
import { bytesText, percentText } from '../../src/text/amounts.ts';
import { fileName } from '../text/file-name.ts';
import { fullPath, shortPath } from '../text/home-path.ts';
import { declined } from './declined.ts';
import { lastName } from './names.ts';

/** Asks for the file path. A relative path starts from the directory where the dashboard was started. */
export function openSaveForm(ui: Ui, object: ObjectPlace): void {
  const { folder, userHome } = ui.outside;
  const name = fileName(lastName(object.key));
  ui.openOverlay(
    new FormOverlay(ui, {
      title: 'Save to a file',
      fields: [
        {
          name: 'path',
          label: 'file',
          value: shortPath(join(folder, name), userHome),
          help: 'a file, or a folder for the file',
          check: (text) => (text.trim() === '' ? 'a path is needed' : undefined),
          complete: (text) => completedPath(text, ui.outside),
        },
      ],
      submit: async ({ path = '' }) => {
        const file = await fileOf(resolve(folder, fullPath(path.trim(), userHome)), name);
        const overwrite = await mayOverwrite(ui, file);
        void ui.attempt(() => saveOne(ui, object, { file, overwrite }));
      },
    }),
  );
}

/** Asks for the folder in which many objects are saved. */
export function openSaveAllForm(ui: Ui, save: (folder: string) => Promise<void>): void {
  const { folder, userHome } = ui.outside;
  ui.openOverlay(
    new FormOverlay(ui, {
      title: 'Save below a folder',
      fields: [
        {
          name: 'path',
          label: 'folder',
          value: shortPath(folder, userHome),
          help: 'created if missing; existing files are kept',
          check: (text) => (text.trim() === '' ? 'a path is needed' : undefined),
          complete: (text) => completedFolder(text, ui.outside),
        },
      ],
      submit: async ({ path = '' }) => {
        const target = resolve(folder, fullPath(path.trim(), userHome));
        await mkdir(target, { recursive: true });
        void ui.attempt(() => save(target));
      },
    }),
  );
}

async function fileOf(path: string, name: string): Promise<string> {
  return (await kindOf(path)) === 'folder' ? join(path, name) : path;
}

async function mayOverwrite(ui: Ui, file: string): Promise<boolean> {
  const kind = await kindOf(file);
  if (kind === undefined) return false;
  if (kind !== 'file') throw new Error(`save: ${file} exists and is not a regular file`);
  const { size } = await lstat(file);
  const facts = [`${ui.look.name(file)} exists, ${bytesText(size)}.`];
  if (await ui.ask({ title: 'Replace the file?', facts })) return true;
  throw declined();
}

async function saveOne(
  ui: Ui,
  object: ObjectPlace,
  { file, overwrite }: { file: string; overwrite: boolean },
): Promise<void> {
  const title = `saving ${ui.look.name(basename(file))}`;
  await ui.work(title, (work) => saveObject(ui, object, { file, overwrite, work }));
  ui.notify(`saved ${shortPath(file, ui.outside.userHome)}`);
}

interface Saving {
  readonly file: string;
  readonly overwrite: boolean;
  readonly work: Work;
}

/** Saves the object as a complete file, or leaves no file. */
async function saveObject(
  ui: Ui,
  { key, ...place }: ObjectPlace,
  { file, overwrite, work }: Saving,
): Promise<void> {
  const { signal } = work.abort;
  const { stream, info } = await ui.call('objects.get', defined({ ...asked(place), key }), {
    signal,
  });
  const client = await ui.link.client();
  const report = progressOf(ui, work, info.sizeBytes);
  await writeWhole(file, counted(client.download(stream, { signal }), report), overwrite);
}

function progressOf(ui: Ui, work: Work, sizeBytes: number): (done: number) => void {
  return (done) => {
    work.progress = sizeBytes > 0 ? percentText(done / sizeBytes) : bytesText(done);
    ui.changes.soon();
  };
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  report: (done: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let done = 0;
  for await (const chunk of bytes) {
    yield chunk;
    done += chunk.byteLength;
    report(done);
  }
}

/**
 * Writes a temporary file in the same folder, and then gives it the final name. Without `overwrite`, a file with the
 * final name is never replaced.
 */
export async function writeWhole(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  overwrite: boolean,
): Promise<void> {
  const temporary = join(dirname(file), `.holdfast-${randomBytes(6).toString('hex')}.part`);
  try {
    const handle = await open(temporary, 'wx');
    try {
      for await (const chunk of bytes) await handle.writeFile(chunk);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (overwrite) await rename(temporary, file);
    else await linkAs(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Gives the temporary file its final name through a hard link, which never replaces a file. On a file system without
 * hard links, it renames the file, which replaces a file that is created at the same moment.
 */
async function linkAs(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw isThere(file, error);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) throw error;
    if ((await kindOf(file)) !== undefined) throw isThere(file, error);
    await rename(temporary, file);
  }
}

function isThere(file: string, cause: unknown): Error {
  return new Error(`save: ${basename(file)} already exists`, { cause });
}

export interface Below {
  readonly folder: string;
  readonly names: readonly string[];
  readonly work: Work;
}

/**
 * Saves an object below the folder. Neither the key nor a symbolic link in the folder can make the file leave the
 * folder.
 */
export async function saveBelow(ui: Ui, object: ObjectPlace, below: Below): Promise<void> {
  const { folder, names, work } = below;
  const path = names.slice(0, -1).join('/');
  const { openFolderBelow } = await import('../../src/mirror/local/held-folder.ts');
  const held = hold(folder, path, openFolderBelow);
  try {
    const file = held.at(names.at(-1) ?? '_');
    await saveObject(ui, object, { file, overwrite: false, work });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new Error(failureReason(error), { cause: error });
  } finally {
    held.close();
  }
}

type Hold = (folder: string, path: string) => HeldFolder;

function hold(folder: string, path: string, holdBelow: Hold): HeldFolder {
  try {
    return holdBelow(folder, path);
  } catch (error) {
    if (errorCode(error) !== 'ENOTDIR') throw error;
    const message = `a link or a file exists where a folder is needed: ${join(folder, path)}`;
    throw new Error(message, { cause: error });
  }
}

type Kind = 'file' | 'folder' | 'other' | undefined;

/** Returns the type of a file. Returns `other` for a symbolic link and does not follow it. */
async function kindOf(path: string): Promise<Kind> {
  try {
    const found = await lstat(path);
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
