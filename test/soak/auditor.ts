/**
 * Compares the job's folder with the bucket by two independent tools: rclone compares the content, and the AWS CLI
 * compares checksums.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { awsEnvironment } from '../clients/aws/aws.ts';
import { runCommand } from '../clients/command.ts';
import { inheritedEnvironment } from '../clients/lane.ts';
import { rcloneEnvironment } from '../clients/rclone.ts';
import type { Service } from '../clients/service.ts';
import { findTools } from '../clients/tools.ts';
import { BUCKET, type Credentials } from './machines.ts';
import { isReserved } from './versions.ts';

export interface Audited {
  readonly root: string;
  /**
   * The expected objects in the bucket: for each key, the type, mode, time and SHA-256 of the file, in the format of
   * `keysOf`.
   */
  readonly keys: ReadonlyMap<string, string>;
  /** The keys whose current object was written or deleted by another client. They are not compared. */
  readonly theirs: ReadonlySet<string>;
  readonly credentials: Credentials;
  /** The path of a folder for the tools' own files. The folder must not exist yet. */
  readonly folder: string;
}

/** Returns one line for each difference. Calls `say` with one line for each tool, even if the tool is not installed. */
export async function audit(what: Audited, say: (line: string) => void): Promise<string[]> {
  mkdirSync(what.folder);
  const findings: string[] = [];
  for (const [client, compare] of [
    ['rclone', compareByRclone],
    ['aws', compareByAws],
  ] as const) {
    const [tool] = findTools([client]);
    if (!tool) say(`${client} is not installed, so its comparison is missing`);
    else findings.push(...(await compare(tool.path, what, say)));
  }
  return findings;
}

/** Returns only the keys of regular files, because rclone ignores symbolic links and does not list folder objects. */
function filesOf({ keys, theirs }: Audited): string[] {
  return [...keys]
    .filter(([key, is]) => is.startsWith('file ') && !theirs.has(key))
    .map(([key]) => key);
}

async function compareByRclone(
  rclone: string,
  what: Audited,
  say: (line: string) => void,
): Promise<string[]> {
  const files = filesOf(what);
  const list = join(what.folder, 'files');
  writeFileSync(list, files.map((file) => `${file}\n`).join(''));
  const env = {
    ...inheritedEnvironment(),
    ...rcloneEnvironment(serviceOf(what), join(what.folder, 'rclone')),
  };
  const args = ['check', '--download', '--files-from-raw', list, what.root, `other:${BUCKET}`];
  const { code, stderr } = await runCommand(rclone, args, { env });
  say(`rclone check --download: ${files.length} files, ${code === 0 ? 'equal' : 'not equal'}`);
  const compared = /(\d+) matching files/.exec(stderr)?.[1];
  if (code === 0 && Number(compared ?? 0) === files.length) return [];
  const lines = stderr.split('\n').filter((line) => line !== '');
  return lines.map((line) => `rclone: ${line}`);
}

interface Listed {
  readonly Key: string;
  readonly ETag: string;
  readonly Size: number;
}

/**
 * Compares the keys in the bucket with those of the folder. Also compares each file's MD5 with the ETag of its object,
 * unless the object is a multipart upload.
 */
async function compareByAws(
  aws: string,
  what: Audited,
  say: (line: string) => void,
): Promise<string[]> {
  const env = {
    ...inheritedEnvironment(),
    ...awsEnvironment(serviceOf(what), join(what.folder, 'aws')),
  };
  const args = ['s3api', 'list-objects-v2', '--bucket', BUCKET, '--output', 'json'];
  const { code, stdout, stderr } = await runCommand(aws, args, { env });
  if (code !== 0) return [`aws: ${stderr}`];
  const { Contents } = JSON.parse(stdout.toString()) as { Contents: Listed[] };
  const listed = new Map(Contents.map((each) => [each.Key, each]));
  const findings: string[] = [];
  let compared = 0;
  for (const [key, is] of what.keys) {
    const object = listed.get(key);
    if (what.theirs.has(key)) continue;
    if (!object) findings.push(`aws: ${JSON.stringify(key)} is missing in the listing`);
    else if (is.startsWith('file ') && !object.ETag.includes('-')) {
      compared += 1;
      const bytes = readFileSync(join(what.root, key));
      if (object.ETag !== `"${createHash('md5').update(bytes).digest('hex')}"`)
        findings.push(`aws: ${JSON.stringify(key)} has the ETag ${object.ETag}`);
    }
  }
  for (const key of listed.keys())
    if (!what.keys.has(key) && !what.theirs.has(key) && !isReserved(key))
      findings.push(`aws: ${JSON.stringify(key)} is in the listing, but not in the folder`);
  say(
    `aws s3api list-objects-v2: ${listed.size} keys, ${compared} checksums, ${findings.length} differences`,
  );
  return findings;
}

function serviceOf({ credentials }: Audited): Service {
  const { endpointUrl: endpoint, region, accessKeyId, secretAccessKey } = credentials;
  const host = new URL(endpoint).host;
  return { transport: 'http', endpoint, host, region, accessKeyId, secretAccessKey };
}
