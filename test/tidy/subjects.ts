/** Rules for the subjects of commits, and a list of the commits since the last release. */

import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

import { NEVER } from './never.ts';

/**
 * Last commit before the rules were introduced. The subjects of this commit and of earlier commits
 * are not checked.
 */
export const LAST_UNCHECKED = '35aad5626511bfec1e4366a00e76f3d7dbf49c14';

const MAX_LENGTH = 72;
const FORM = /^[A-Za-z][\w./-]*(?:,? [\w./-]+)*: \S.*[^.\s]$/;

interface SubjectRule {
  readonly rule: string;
  readonly isBroken: (subject: string) => boolean;
}

const RULES: readonly SubjectRule[] = [
  {
    rule: 'write "area: sentence", without a full stop',
    isBroken: (subject) => !FORM.test(subject),
  },
  {
    rule: `write at most ${MAX_LENGTH} characters`,
    isBroken: (subject) => subject.length > MAX_LENGTH,
  },
  ...NEVER.map(({ pattern, write }) => ({
    rule: `write: ${write}`,
    isBroken: (subject: string) => subject.search(pattern) >= 0,
  })),
];

/** Returns a line for each rule that a subject breaks. */
export function brokenSubjects(subjects: readonly string[]): string[] {
  const broken = subjects.flatMap((subject) =>
    RULES.filter(({ isBroken }) => isBroken(subject)).map(({ rule }) => `"${subject}": ${rule}`),
  );
  const repeated = new Set(subjects.filter((each, index) => subjects.indexOf(each) < index));
  return [
    ...broken,
    ...[...repeated].map((subject) => `"${subject}": write another subject for each commit`),
  ];
}

/** Returns the environment without the variables by which a Git hook selects a repository. */
function withoutRepository(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
  );
}

function git(folder: string, ...args: string[]): string | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const options = { cwd: folder, env: withoutRepository(), stdio: [...stdio] };
    return execFileSync('git', args, { ...options, encoding: 'utf8' }).trim();
  } catch {
    // Git fails if it is not installed, the folder is not a work tree, or the revision does not
    // exist.
    return undefined;
  }
}

/**
 * Returns the subjects of the commits since the last release, or since `lastUnchecked` before the
 * first release. A shallow clone contains only some of these commits. A folder without its own
 * repository has no commits.
 */
export function subjectsSinceRelease(folder: string, lastUnchecked = LAST_UNCHECKED): string[] {
  if (git(folder, 'rev-parse', '--show-toplevel') !== realpathSync(folder)) return [];
  const release = git(folder, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  const before =
    release ?? git(folder, 'rev-parse', '--verify', '--quiet', `${lastUnchecked}^{commit}`);
  const isShallow = git(folder, 'rev-parse', '--is-shallow-repository') === 'true';
  // A complete history without this commit belongs to another project, such as an import or a fork.
  if (before === undefined && !isShallow) return [];
  const range = before === undefined ? 'HEAD' : `${before}..HEAD`;
  const log = git(folder, 'log', '--no-merges', '--format=%s', range) ?? '';
  return log.split('\n').filter((subject) => subject !== '');
}
