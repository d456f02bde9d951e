/** Asks for the target folder and the options of a restore. A dry run follows. */

import { isAbsolute, resolve } from 'node:path';

import { defined } from '../../../src/base/defined.ts';
import type { Ui } from '../../ui/ui.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { Field, FormValues } from '../../widgets/form.ts';
import { countText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import { shortPath } from '../../text/home-path.ts';
import type { FolderRow } from './folder-data.ts';
import type { Subject } from './subject.ts';
import { PlanScreen } from './plan-screen.ts';
import type { RestoreRequest } from './restore-run.ts';
import { absoluteOf, nameOf, subjectOf } from './subject.ts';
import { parentOf } from '../../data/place.ts';
import type { At } from './time-travel.ts';

/**
 * The maximum number of entries, because each entry is a separate restore. To restore more entries, the user can
 * restore their folder.
 */
const MOST_ENTRIES = 100;

export interface RestoreWish {
  readonly job: Subject['job'];
  readonly at: At;
  readonly rows: readonly Pick<FolderRow, 'path' | 'isFolder'>[];
}

const PLACES = ['beside', 'in place', 'elsewhere'] as const;
type Where = (typeof PLACES)[number];

export function openRestoreForm(ui: Ui, wish: RestoreWish): void {
  const { job, at, rows } = wish;
  const [first] = rows;
  if (!first) return;
  if (rows.length > MOST_ENTRIES)
    return ui.warn(`mark at most ${MOST_ENTRIES} entries, or restore the folder (F)`);
  const isOneFolder = rows.length === 1 && first.isFolder;
  const beside = besideFolder(job.folder, at ?? ui.clock.now());
  const what =
    rows.length === 1
      ? ui.look.name(shortPath(absoluteOf(job.folder, first.path), ui.outside.userHome))
      : countText(rows.length, 'entry').replace('entrys', 'entries');
  const fields: readonly Field[] = [
    {
      name: 'where',
      label: 'where to',
      value: 'beside',
      choices: PLACES,
      help: `beside: ${ui.look.name(shortPath(beside, ui.outside.userHome))}; in place: existing files are stored as versions first`,
    },
    {
      name: 'to',
      label: 'folder',
      placeholder: 'only for "elsewhere"',
      help: 'for "elsewhere"; created if it does not exist',
      check: (text, all) =>
        all['where'] === 'elsewhere' && text.trim() === '' ? 'which folder?' : undefined,
    },
    {
      name: 'exact',
      label: 'exact',
      value: 'no',
      help: 'yes: also remove files created since, so that the folder is exactly as it was',
      ...(isOneFolder ? { choices: ['no', 'yes'] } : { fixed: 'of one folder only' }),
    },
  ];
  const submit = async (values: FormValues) => {
    const requests = requestsOf(wish, values, { beside, folder: ui.outside.folder });
    ui.router.open(new PlanScreen(ui, requests));
  };
  const said = [`${what}, ${at === undefined ? 'as it is now' : `as of ${timeText(at)}`}`, ''];
  ui.openOverlay(new FormOverlay(ui, { title: 'Restore', act: 'dry run', said, fields, submit }));
}

export function requestsOf(
  { job, at, rows }: RestoreWish,
  values: FormValues,
  places: { readonly beside: string; readonly folder: string },
): readonly RestoreRequest[] {
  const where = values['where'] as Where;
  const typed = values['to']?.trim() ?? '';
  const elsewhere = isAbsolute(typed) ? typed : resolve(places.folder, typed);
  const isOneFolder = rows.length === 1 && rows[0]?.isFolder === true;
  return rows.map(({ path, isFolder }) => {
    // The content of a single folder is restored directly into the chosen folder. In a folder beside the job's folder,
    // entries keep their relative paths.
    const below = isFolder ? path : parentOf(path);
    const named = isFolder && !isOneFolder ? absoluteOf(elsewhere, nameOf(path)) : elsewhere;
    const to = where === 'beside' ? absoluteOf(places.beside, below) : named;
    return defined({
      ...subjectOf(job, path),
      at,
      to: where === 'in place' ? undefined : to,
      exact: values['exact'] === 'yes' || undefined,
    });
  });
}

/**
 * Returns a target folder such as `/home/ada/Photos.restored-20261120T140322`. It is outside the job's folder, because
 * a job would back up the restored files again.
 */
function besideFolder(folder: string, at: number): string {
  const stamp = timeText(at).replaceAll(/[-:]/g, '').replace(' ', 'T');
  return `${folder === '/' ? '/root-folder' : folder}.restored-${stamp}`;
}
