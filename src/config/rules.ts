/** Checks the rules between parts of a configuration, such as colliding names, folders and destinations. */

import type { ConfigProblem } from './config-error.ts';
import type { ConfigDocument, Path } from './document.ts';
import { type Home, ownFolderOf } from './home.ts';
import { nearest } from './nearest.ts';
import { LOOPBACK } from './schema-words.ts';

/** The options of a job that the rules compare. Invalid options are absent. */
type Job = {
  readonly [K in 'name' | 'folder' | 'bucket' | 'prefix' | 'target']?: string | undefined;
} & {
  readonly customerKey?: object | undefined;
  /** The path of the job's entry in `config.yaml`. */
  readonly path: Path;
};

export interface Rules {
  readonly document: ConfigDocument;
  /** The valid options of all jobs, in file order. */
  readonly jobs: readonly Job[];
  readonly targets: readonly Target[];
  /** The remote cluster services in the configuration. */
  readonly services: readonly Keyed[];
  readonly storage: {
    readonly upkeep?: { readonly lifecycleDaySeconds?: number | undefined } | undefined;
  };
  readonly home: Pick<Home, 'isTestMode' | 'ownFolders'>;
}

/** A remote service that requires an access key. */
interface Keyed {
  readonly credentialsFile?: string | undefined;
  readonly credentials?: object | undefined;
}

type Target = Keyed & { readonly [K in 'name' | 'endpoint']?: string | undefined };

export function brokenRules(rules: Rules): ConfigProblem[] {
  const { document, targets, services } = rules;
  return [
    ...repeated(targets.map((target) => target.name)).map(([index, first]) =>
      document.problemAt(['targets', index, 'name'], `is already the name of targets[${first}]`),
    ),
    ...twoSources(document, ['targets'], targets),
    ...twoSources(document, ['clusters', 'services'], services),
    ...repeatedNames(rules),
    ...ownFolders(rules),
    ...overlappingFolders(rules),
    ...unknownTargets(rules),
    ...overlappingPlaces(rules),
    ...keysInClear(rules),
    ...testSettings(rules),
  ];
}

function testSettings({ document, storage, home: { isTestMode } }: Rules): ConfigProblem[] {
  if (isTestMode || storage.upkeep?.lifecycleDaySeconds === undefined) return [];
  const message = 'is for tests only: remove it, or set HOLDFAST_TEST_MODE=1 in the environment';
  return [document.problemAt(['storage', 'upkeep', 'lifecycleDaySeconds'], message)];
}

function twoSources(document: ConfigDocument, list: Path, all: readonly Keyed[]): ConfigProblem[] {
  return all.flatMap(({ credentials, credentialsFile }, index) => {
    if (credentials === undefined || credentialsFile === undefined) return [];
    const message = 'must not be combined with credentials: remove one of them';
    return [document.problemAt([...list, index, 'credentialsFile'], message)];
  });
}

/**
 * Finds repeated job names. Names of additional targets are not checked, because they are derived from the names of
 * their jobs.
 */
function repeatedNames({ document, jobs }: Rules): ConfigProblem[] {
  const named = jobs.filter(({ path }) => !path.includes('also'));
  return repeated(named.map((job) => job.name)).map(([index, first]) =>
    document.problemAt(['jobs', index, 'name'], `is already the name of jobs[${first}]`),
  );
}

function unknownTargets({ document, jobs, targets }: Rules): ConfigProblem[] {
  const known = ['local', ...targets.flatMap(({ name }) => name ?? [])];
  return jobs.flatMap(({ target, path }) => {
    if (target === undefined || known.includes(target)) return [];
    const guess = nearest(target, known);
    const hint = guess ? `did you mean ${guess}?` : `known targets are ${known.join(', ')}`;
    return [document.problemAt([...path, 'target'], `unknown target; ${hint}`)];
  });
}

/**
 * Finds customer-provided keys that would be sent over plain HTTP. Each request contains the key, so other parties on
 * the network could read it.
 */
function keysInClear({ document, jobs, targets }: Rules): ConfigProblem[] {
  return jobs.flatMap(({ customerKey, target, path }) => {
    const endpoint = targets.find(({ name }) => name === target)?.endpoint;
    if (customerKey === undefined || endpoint === undefined || isPrivate(endpoint)) return [];
    const message = `would be sent unencrypted to ${endpoint}; set the https:// endpoint of the target`;
    return [document.problemAt([...path, 'customerKey'], message)];
  });
}

function isPrivate(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' || LOOPBACK.test(hostname.replaceAll(/[[\]]/g, ''));
}

/**
 * Finds jobs whose folder belongs to Holdfast. The store would receive its own files as objects in an endless loop.
 */
function ownFolders({ document, jobs, home }: Rules): ConfigProblem[] {
  return jobs.flatMap(({ folder, path }) => {
    const own = folder === undefined ? undefined : ownFolderOf(home, folder);
    if (own === undefined) return [];
    const message = `is inside ${own}, which Holdfast uses for its own data; choose another folder`;
    return [document.problemAt([...path, 'folder'], message)];
  });
}

/** Finds overlapping folders. A folder can be backed up to several targets, but only once to each. */
function overlappingFolders({ document, jobs }: Rules): ConfigProblem[] {
  return jobs.flatMap(({ folder, target, path }, index) => {
    if (folder === undefined) return [];
    const first = jobs
      .slice(0, index)
      .findIndex((other) => other.target === target && isNested(folder, other.folder));
    const other = jobs[first];
    if (other === undefined) return [];
    const message =
      other.folder === folder
        ? `is already mirrored by ${title(jobs, first)}`
        : `overlaps ${other.folder}, which ${title(jobs, first)} mirrors to the same target`;
    return [document.problemAt([...path, 'folder'], message)];
  });
}

/** Returns whether two absolute paths are equal, or one is below the other. */
export function isNested(a: string, b: string | undefined): boolean {
  if (b === undefined) return false;
  const [outer, inner] = a.length < b.length ? [a, b] : [b, a];
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/**
 * Finds jobs with overlapping destinations. Each job would treat the objects of the other job as changes by another
 * client, in an endless loop. Jobs with different targets can overlap too, because targets can have the same endpoint.
 */
function overlappingPlaces({ document, jobs, targets }: Rules): ConfigProblem[] {
  const serviceOf = ({ target }: Job) =>
    targets.find(({ name }) => name === target)?.endpoint ?? target;
  return jobs.flatMap((job, index) => {
    const first = jobs
      .slice(0, index)
      .findIndex((other) => serviceOf(other) === serviceOf(job) && overlap(job, other));
    if (first === -1) return [];
    const message = `overlaps the destination of ${title(jobs, first)}; give each job its own prefix`;
    const member = job.prefix ? 'prefix' : 'bucket';
    return [document.problemAt([...job.path, member], message)];
  });
}

/** Returns whether objects of one job could also be objects of the other job, within one service. */
export function overlap(
  a: Pick<Job, 'bucket' | 'prefix'>,
  b: Pick<Job, 'bucket' | 'prefix'>,
): boolean {
  if (a.bucket === undefined || a.bucket !== b.bucket) return false;
  if (a.prefix === undefined || b.prefix === undefined) return false;
  return a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
}

/** Returns the index of each repeated value together with the index of its first occurrence. */
function repeated(values: readonly (string | undefined)[]): [index: number, first: number][] {
  return values.flatMap<[number, number]>((value, index) => {
    const first = values.indexOf(value);
    return value !== undefined && first < index ? [[index, first]] : [];
  });
}

function title(jobs: readonly Job[], index: number): string {
  const name = jobs[index]?.name;
  return name === undefined ? `jobs[${index}]` : `job ${name}`;
}
