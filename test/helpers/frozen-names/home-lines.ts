/**
 * Lists the files of a home (the folder with configuration, state and store), the members of its
 * JSON files, and the tables of its databases.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { contentLines, databaseLines } from './database-lines.ts';
import { byName, indented, memberNames } from './member-lines.ts';
import type { SampleHome } from './sample-home.ts';

const DATABASE = /\.sqlite$/;
/** Temporary files that SQLite creates and removes. */
const OF_SQLITE = /\.sqlite-(?:wal|shm)$/;
const STATE = 'state/jobs/<job>/state.sqlite';

export function fileLines({ home, backup, paths, restored }: SampleHome): string[] {
  // Combines the files that remain after the daemon has stopped with the paths that exist only
  // while it runs.
  const inHome = [...filesIn(home), ...paths];
  return [
    'home:',
    ...named(inHome),
    '',
    'folder of backup-state:',
    ...named(filesIn(backup)),
    '',
    'beside and in a folder that was restored into twice:',
    ...named(restored.filter((path) => !path.includes('many'))),
    ...documentLines(home),
    ...documentLines(backup),
    '',
    'line of holdfast.log:',
    ...indented(logMembers(join(home, 'state/holdfast.log'))),
  ];
}

/**
 * Lists the databases of a home. All jobs have the same tables, so the state file of only one job
 * is listed.
 */
export function homeDatabaseLines({ home, backup }: SampleHome): string[] {
  const files = filesIn(home).filter((path) => DATABASE.test(path));
  const databases = new Map(files.map((path) => [general(path), join(home, path)]));
  // The backup folder contains the job's state from before the rebuild of its state file.
  const states = [home, backup].flatMap((folder) =>
    filesIn(folder)
      .filter((path) => general(path) === STATE)
      .map((path) => join(folder, path)),
  );
  return byName(databases).flatMap(([name, path]) => {
    const contents = contentLines(name === STATE ? states : [path]);
    return ['', `database ${name}`].concat(databaseLines(path), '', contents);
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

/** Replaces sample names, random names and times in a path with placeholders. */
function general(path: string): string {
  return path
    .replace(/^state\/jobs\/[^/]+/, 'state/jobs/<job>')
    .replace(/^data\/store\/blobs\/\w\w(?=\/|$)/, 'data/store/blobs/<two digits>')
    .replace(/\/[0-9a-f]{32}$/, '/<blob>')
    .replace(/\d{8}T\d{6}Z/, '<time>');
}

function named(paths: readonly string[]): string[] {
  const own = paths.filter((path) => !OF_SQLITE.test(path));
  return indented(own.map(general));
}

function documentLines(folder: string): string[] {
  const members = new Map<string, readonly string[]>();
  for (const path of filesIn(folder).filter((each) => !each.endsWith('.log'))) {
    const text = readFileSync(join(folder, path), 'utf8');
    // A file with random bytes can also begin with `{`, so the quote after it is required.
    if (!/^\{\s*"/.test(text)) continue;
    const known = members.get(general(path)) ?? [];
    members.set(general(path), [...known, ...memberNames(JSON.parse(text))]);
  }
  return byName(members).flatMap(([name, names]) =>
    ['', `members of ${name}:`].concat(indented(names)),
  );
}

/** Returns the field names that every line of a JSON log file has. */
function logMembers(path: string): string[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const [first = [], ...others] = lines.map((line) => memberNames(JSON.parse(line)));
  return first.filter((name) => others.every((members) => members.includes(name)));
}
