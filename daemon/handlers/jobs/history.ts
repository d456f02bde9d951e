/**
 * Implements the control methods that read a job's files as of a past time, and the versions of its
 * files.
 */

import { join } from 'node:path';

import { defined } from '../../../src/base/defined.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Subject } from '../../../src/control/methods/restore.ts';
import { compareTimes, treeAt } from '../../../src/restore/compare-times.ts';
import { entrySums } from '../../../src/restore/entry-sums.ts';
import { changesWithin, fileVersions } from '../../../src/restore/file-history.ts';
import { folderAt } from '../../../src/restore/folder-at.ts';
import { momentsOf } from '../../../src/restore/moments.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import { rowsBody } from '../../control/rows.ts';
import { findSubject } from '../../jobs/subject.ts';
import type { RestoreHandlerOptions } from './restore.ts';

type HistoryMethod =
  | 'history.folder'
  | 'history.moments'
  | 'history.versions'
  | 'history.changes'
  | 'history.read'
  | 'history.list'
  | 'history.compare'
  | 'history.sums';

async function* nothing(): AsyncGenerator<object, void> {}

export function historyHandlers(
  options: RestoreHandlerOptions,
): Pick<ControlHandlers, HistoryMethod> {
  const { jobs, restores, streams, clock } = options;
  const rowsOf = (rows: AsyncIterable<object>) => streams.offerDownload(rowsBody(rows, clock));
  const placeOf = (subject: Subject) => {
    const { job, path } = findSubject(jobs, subject);
    return { job: job.config.name, place: restores.selection(job, path) };
  };
  return {
    'history.folder': async ({ at, after, limit, ...subject }, { signal }) => {
      const { job, place } = placeOf(subject);
      const page = await folderAt(
        { ...place, signal },
        { at, limit, ...defined({ after: after && defined(after) }) },
      );
      return { ...page, job, entries: [...page.entries] };
    },
    'history.moments': async ({ limit, ...subject }, { signal }) => {
      const { job, place } = placeOf(subject);
      const { moments, ...rest } = await momentsOf({ ...place, signal }, limit);
      return { job, moments: [...moments], ...rest };
    },
    'history.versions': async (subject) => {
      const { job, path } = findSubject(jobs, subject);
      const { name, folder } = job.config;
      const file = path === undefined ? folder : join(folder, path);
      const listing = path !== undefined && {
        ...restores.selection(job, path),
        ...restores.proving(job),
        path,
      };
      const stream = rowsOf(listing ? fileVersions(listing) : nothing());
      return { job: name, file, stream, ...defined({ path }) };
    },
    'history.changes': async ({ from, to, ...subject }) => {
      const { job, path } = findSubject(jobs, subject);
      const rows = changesWithin(restores.selection(job, path), defined({ from, to }));
      return { job: job.config.name, stream: rowsOf(rows), ...defined({ path }) };
    },
    'history.read': async ({ versionId, ...subject }) => {
      const { job, path } = findSubject(jobs, subject);
      if (path === undefined)
        throw new ControlError('BadRequest', 'cannot read a whole job: name a file in its folder');
      const { bucket, prefix, store } = restores.selection(job, path);
      const { body } = await store.getObject({ bucket, key: prefix + path, versionId });
      return { stream: streams.offerDownload(body) };
    },
    'history.list': async ({ at, ...subject }) => {
      const { job, place } = placeOf(subject);
      return { job, stream: rowsOf(treeAt(place, at)) };
    },
    'history.compare': async ({ from, to, ...subject }) => {
      const { job, place } = placeOf(subject);
      return { job, stream: rowsOf(compareTimes(place, { from, ...defined({ to }) })) };
    },
    'history.sums': async ({ at, ...subject }) => {
      const { job, place } = placeOf(subject);
      return { job, stream: rowsOf(entrySums(place, at)) };
    },
  };
}
