/**
 * Reads a profile of the AWS CLI. The key is in the credentials file or configuration file, or is printed by a
 * program that the profile specifies. Profiles with a browser login or a role are not supported, but the AWS CLI can
 * export their credentials.
 */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { type Credentials, keyOf } from './credentials-text.ts';
import { profileSection, wordsOf } from './profile-text.ts';
import { checkPrivate, readText, refused } from './private-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface NamedProfile {
  readonly profile: string;
  /** The absolute path of the file that contains the profile. Absent for the default files of the AWS CLI. */
  readonly profileFile?: string | undefined;
}

/** The settings of a profile in one file. */
interface Section {
  readonly file: string;
  readonly members: ReadonlyMap<string, string>;
}

/**
 * Returns the key, or the program that prints it. Throws `ConfigError`. Its message quotes nothing from the files.
 */
export function readProfile(
  named: NamedProfile,
  env: Environment,
): Credentials | { readonly command: readonly string[] } {
  const sections = sectionsOf(named, env);
  const [first] = sections;
  // The AWS CLI uses the same order: keys in the first file, then programs, then keys in the second file.
  return keyIn(first) ?? programIn(sections) ?? keyIn(sections.at(-1)) ?? nothingIn(first, named);
}

/**
 * Returns the region of a profile, or undefined if the profile has none. Throws `ConfigError` if the profile does
 * not exist.
 */
export function readProfileRegion(named: NamedProfile, env: Environment): string | undefined {
  return sectionsOf(named, env)
    .map(({ members }) => members.get('region'))
    .find((region) => region);
}

/** Returns the sections of a profile from the AWS CLI's files. There is at least one section. */
function sectionsOf(named: NamedProfile, env: Environment): readonly [Section, ...Section[]] {
  const files = filesOf(named, env);
  const [first, ...others] = files.flatMap((file) => {
    const members = profileSection(readText(file), named.profile);
    return members ? [{ file, members }] : [];
  });
  if (first) return [first, ...others];
  throw refused(files.join(' and '), `profile ${named.profile} does not exist`);
}

/** Returns the files to read. One of the two default files may be missing. */
function filesOf({ profileFile }: NamedProfile, env: Environment): readonly string[] {
  if (profileFile !== undefined) return [profileFile];
  const aws = join(homedir(), '.aws');
  const usual = [
    env['AWS_SHARED_CREDENTIALS_FILE'] || join(aws, 'credentials'),
    env['AWS_CONFIG_FILE'] || join(aws, 'config'),
  ];
  const there = usual.filter((file) => existsSync(file));
  return there.length > 0 ? there : usual.slice(0, 1);
}

function keyIn(section: Section | undefined): Credentials | undefined {
  if (!section?.members.has('aws_secret_access_key')) return undefined;
  const { file, members } = section;
  checkPrivate(file, 'read');
  return keyOf({
    accessKeyId: members.get('aws_access_key_id'),
    secretAccessKey: members.get('aws_secret_access_key'),
    sessionToken: members.get('aws_session_token'),
  });
}

function programIn(sections: readonly Section[]) {
  for (const { file, members } of sections) {
    const line = members.get('credential_process');
    if (line === undefined) continue;
    // The profile file may specify a program to run, so other users must not be able to write to it.
    checkPrivate(file, 'write');
    const command = wordsOf(line);
    if (command !== undefined) return { command };
    throw refused(
      file,
      'credential_process has a quotation mark that is not closed, or no program',
    );
  }
  return undefined;
}

function nothingIn({ file, members }: Section, { profile }: NamedProfile): never {
  const isLogin = [...members.keys()].some((name) => /^(role_arn|sso_|web_identity)/.test(name));
  throw refused(
    file,
    isLogin
      ? `profile ${profile} uses a role or a login; set credentials: {command: [aws, configure, export-credentials, --profile, ${profile}]}`
      : `profile ${profile} does not have both aws_access_key_id and aws_secret_access_key`,
  );
}
