/** Parses `config.yaml` to a Config, or reports all of its problems at once. */

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import type { z } from 'zod';

import { defined } from '../base/defined.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode, invariant } from '../base/errors.ts';
import type { ClustersConfig, Config, JobConfig, StorageConfig } from './config.ts';
import { checkCaFiles } from './ca-file.ts';
import { ConfigError } from './config-error.ts';
import type { CredentialsSource } from './credentials-source.ts';
import type { CustomerKeySource, JobKeySource } from './customer-key.ts';
import type { ConfigProblem } from './config-error.ts';
import { readDocument } from './document.ts';
import type { ConfigDocument, Path } from './document.ts';
import type { Home } from './home.ts';
import { parsePiece } from './piece.ts';
import { migrateSource } from './migrate-source.ts';
import { whyNotPrivate } from './private-file.ts';
import { brokenRules } from './rules.ts';
import { alertsShape } from './alerts.ts';
import { clustersShape } from './cluster-schema.ts';
import { jobShape, storageShape, targetShape, topShape } from './schema.ts';
import { piecesOfJob, type TargetPiece } from './several-targets.ts';

/**
 * The maximum file size, enough for hundreds of jobs. A larger file, such as a log, was probably given by mistake.
 */
const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_LIST_ITEMS = 1_000;

export interface ConfigPlace {
  /**
   * The file that contains the text. Relative paths are resolved against its folder. Error messages name this file.
   */
  readonly file: string;
  readonly home: Home;
}

/**
 * Reads the home folder's `config.yaml` and the certificates that it refers to. If the file does not exist, returns
 * the defaults with no jobs.
 */
export async function loadConfig(home: Home): Promise<Config> {
  const file = home.configFile;
  const config = parseConfig(await readConfigText(file), { file, home });
  checkCaFiles(config, file);
  if (namesPrograms(config)) checkOthers(file);
  return config;
}

function namesPrograms({ targets, clusters, jobs, alerts }: Config): boolean {
  if (alerts.actions.some(({ type }) => type === 'command')) return true;
  const keys = jobs.flatMap(({ customerKey: key }) => (key ? [key, ...(key.earlier ?? [])] : []));
  const services = [...targets, ...clusters.services];
  return [...keys, ...services.map(({ credentials }) => credentials)].some(
    (source) => source !== undefined && 'command' in source && source.command !== undefined,
  );
}

/**
 * Throws ConfigError if other users can write to the configuration file. The file specifies programs that run with
 * the permissions of its owner.
 */
function checkOthers(file: string): void {
  const message = whyNotPrivate(file, 'write');
  if (message !== undefined) throw new ConfigError(file, [{ message }]);
}

/** Returns the text of the file, or an empty text if the file does not exist. */
export async function readConfigText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw new ConfigError(file, [{ message: failureReason(error) }], { cause: error });
  }
}

/** Parses the text. Throws `ConfigError` with all problems in line order. */
export function parseConfig(text: string, place: ConfigPlace): Config {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) {
    const message = `the file is larger than ${MAX_CONFIG_BYTES} bytes`;
    throw new ConfigError(place.file, [{ message }]);
  }
  const document = readDocument(migrateSource(text));
  if (document.problems.length > 0) throw new ConfigError(place.file, document.problems);
  const top = parsePiece(topShape, document, [], document.data);
  const storage = parsePiece(storageShape, document, ['storage'], top.sound.storage);
  const clusters = parsePiece(clustersShape, document, ['clusters'], top.sound.clusters);
  const alerts = parsePiece(alertsShape, document, ['alerts'], top.sound.alerts);
  const targets = parseList(document, 'targets', top.sound.targets, (item, path) => [
    { path, piece: parsePiece(targetShape, document, path, item) },
  ]);
  const jobs = parseList(document, 'jobs', top.sound.jobs, (item, path) =>
    piecesOfJob(document, { item, path }, (data, at) => parsePiece(jobShape, document, at, data)),
  );
  const problems = [
    ...[top, storage, clusters, alerts, targets, jobs].flatMap((piece) => piece.problems),
    ...brokenRules({
      document,
      jobs: jobs.pieces.map(({ path, piece }) => ({ ...withPlaces(piece.sound, place), path })),
      targets: targets.pieces.map(({ piece }) => piece.sound),
      services: clusters.sound.services ?? [],
      storage: storage.sound,
      home: place.home,
    }),
  ];
  if (problems.length > 0) throw new ConfigError(place.file, problems.sort(byPlace));
  const { region, vendor, logLevel, logLevels, metrics } = valueOf(top);
  return {
    region,
    vendor,
    logLevel,
    logLevels,
    metrics: defined(metrics),
    storage: withTlsFiles(valueOf(storage), place),
    alerts: valueOf(alerts),
    clusters: clustersConfig(valueOf(clusters), place),
    targets: valueOf(targets).map((target) => defined(withFiles(target, place))),
    jobs: valueOf(jobs).map((job) => jobConfig(job, place)),
  };
}

interface List<T> {
  readonly value?: readonly T[];
  readonly pieces: readonly TargetPiece<T>[];
  readonly problems: readonly ConfigProblem[];
}

function parseList<T>(
  document: ConfigDocument,
  key: string,
  data: unknown = [],
  parse: (item: unknown, path: Path) => readonly TargetPiece<T>[],
): List<T> {
  const refused = (message: string) => ({
    pieces: [],
    problems: [document.problemAt([key], message)],
  });
  if (!Array.isArray(data)) return refused('must be a list, with - before each item');
  if (data.length > MAX_LIST_ITEMS) return refused(`must have at most ${MAX_LIST_ITEMS} items`);
  const pieces = data.flatMap((item, index) => parse(item, [key, index]));
  const problems = pieces.flatMap(({ piece }) => piece.problems);
  return problems.length > 0
    ? { pieces, problems }
    : { value: pieces.map(({ piece }) => valueOf(piece)), pieces, problems };
}

function valueOf<T>(piece: { readonly value?: T }): T {
  invariant(piece.value !== undefined, 'a piece without problems has a value');
  return piece.value;
}

/** Converts the entry of a job. Its additional targets have already been split off as separate jobs. */
function jobConfig(entry: z.output<typeof jobShape>, place: ConfigPlace): JobConfig {
  const { also: _, ...job } = entry;
  return defined(withPlaces(job, place));
}

/** The paths in the entry of a job. */
interface NamedPlaces {
  readonly folder?: string;
  readonly customerKey?: JobKeySource | undefined;
}

function withPlaces<T extends NamedPlaces>(job: T, { file }: ConfigPlace): T {
  const { folder, customerKey: key } = job;
  const at = <S extends CustomerKeySource>(source: S): S =>
    source.file === undefined ? source : { ...source, file: absolute(source.file, file) };
  const earlier = key?.earlier?.map(at);
  return {
    ...job,
    ...(folder !== undefined && { folder: absolute(folder, file) }),
    ...(key && { customerKey: { ...at(key), ...defined({ earlier }) } }),
  };
}

function withTlsFiles(
  { tls, ...storage }: z.output<typeof storageShape>,
  { file }: ConfigPlace,
): StorageConfig {
  if (tls === undefined) return defined(storage);
  const files = {
    certFile: absolute(tls.certFile, file),
    keyFile: absolute(tls.keyFile, file),
  };
  return defined({ ...storage, tls: { ...tls, ...files } });
}

function clustersConfig(
  { services, ...local }: z.output<typeof clustersShape>,
  place: ConfigPlace,
): ClustersConfig {
  return defined({ ...local, services: services.map((each) => defined(withFiles(each, place))) });
}

/** A remote service. The name of its default credentials file is the name of the service. */
interface Remote {
  readonly name: string;
  readonly credentials?: CredentialsSource | undefined;
  readonly credentialsFile?: string | undefined;
  readonly caFile?: string | undefined;
}

/** Returns the service with absolute paths, and with its key source only in `credentials`. */
function withFiles<T extends Remote>(
  { credentials, credentialsFile, caFile, ...service }: T,
  { file, home }: ConfigPlace,
) {
  const at = (path: string | undefined) => path && absolute(path, file);
  const source: CredentialsSource = credentials
    ? defined({
        ...credentials,
        file: at(credentials.file),
        profileFile: at(credentials.profileFile),
      })
    : { file: at(credentialsFile) ?? credentialsFileOf(home, service.name) };
  return { ...service, credentials: source, caFile: at(caFile) };
}

/** Returns the default credentials file of a service. */
function credentialsFileOf(home: Home, name: string): string {
  return join(home.credentialsDir, `${name}.json`);
}

/**
 * Returns an absolute path. `~` is the user's home folder. A relative path is resolved against the folder of
 * `file`.
 */
function absolute(path: string, file: string): string {
  const expanded = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
  return resolve(dirname(file), expanded);
}

function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
