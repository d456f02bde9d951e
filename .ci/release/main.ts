/**
 * `npm run release [-- --dry-run]`: releases the version of package.json from the last commit. It
 * checks the work tree, the version and CHANGELOG.md, and runs `npm run check`. It builds the
 * packages in this folder and in a new clone, and both must have the same bytes. Then it tags the
 * commit and publishes the npm package. With `--dry-run` it continues after a problem, and prints
 * the final commands instead of running them. `--skip-check` skips `npm run check`, for a dry run
 * of a commit that CI has checked.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from '../packages/npm.ts';
import { releaseNotes } from './release-notes.ts';

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    'skip-check': { type: 'boolean', default: false },
  },
});
const isDryRun = values['dry-run'];
const { version } = manifest;
const tag = `v${version}`;
const problems: string[] = [];

if (values['skip-check'] && !isDryRun)
  throw new Error('release: only a dry run may skip the check');
const notes = checkText();
if (!values['skip-check']) attempt('npm run check fails', () => run(ROOT, ['npm', 'run', 'check']));
attempt('the packages cannot be built', comparePackages);
finish();

/** Checks everything that does not require a build. Returns the release notes. */
function checkText(): string {
  const changed = git('status', '--porcelain');
  if (changed !== '') problem(`the work tree has uncommitted changes:\n${changed}`);
  if (git('tag', '--list', tag) !== '') problem(`the tag ${tag} already exists`);
  if (lock.version !== version) problem(`package-lock.json has version ${lock.version}`);
  const section = releaseNotes(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  if (section === undefined || section.text === '')
    problem(`CHANGELOG.md has no section for version ${version}`);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(section.date))
    problem(`CHANGELOG.md has no date for version ${version}, but "${section.date}"`);
  return section?.text ?? '';
}

/**
 * Builds the packages in this folder, and in a clone at another path with newly installed
 * dependencies. Compares their bytes.
 */
function comparePackages(): void {
  run(ROOT, ['npm', 'run', 'package']);
  const clone = mkdtempSync(join(tmpdir(), 'holdfast-release-'));
  try {
    run(ROOT, ['git', 'clone', '--quiet', '--no-local', ROOT, clone]);
    run(clone, ['npm', 'ci']);
    run(clone, ['npm', 'run', 'package']);
    const [here, there] = [ROOT, clone].map((root) =>
      readFileSync(join(root, 'packages/SHA256SUMS'), 'utf8'),
    );
    if (here === there) print('both builds have the same bytes');
    else problem(`the packages from a new clone have other bytes:\n${here}\n${there}`);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/**
 * Tags and publishes the release, or prints the commands for this. Exits with code 1 if there is a
 * problem.
 */
function finish(): void {
  const files = readFileSync(join(ROOT, 'packages/SHA256SUMS'), 'utf8').trim().split('\n');
  const commands = [
    ['git', 'tag', '--annotate', '--cleanup=verbatim', `--message=${tag}\n\n${notes}`, tag],
    ['git', 'push', 'origin', tag],
    ['npm', 'publish', `packages/holdfast-${version}.tgz`],
  ];
  print(`\n${tag}: commit ${git('rev-parse', 'HEAD')}\n\n${notes}\n`);
  if (problems.length > 0) {
    print(`not ready:\n${problems.map((each) => `- ${each}`).join('\n')}`);
    process.exitCode = 1;
  }
  for (const command of commands) {
    if (isDryRun) print(`would run: ${command.join(' ').replace(notes, '…')}`);
    else if (problems.length === 0) run(ROOT, command);
  }
  print('to attach to the release, beside SHA256SUMS:');
  for (const line of files) print(`  ${line}`);
}

function problem(text: string): void {
  problems.push(text);
  if (!isDryRun) throw new Error(`release ${version}: ${text}`);
}

function attempt(text: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    problem(`${text}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trimEnd();
}

function run(cwd: string, [program = '', ...args]: readonly string[]): void {
  print(`$ ${[program, ...args].join(' ')}`);
  execFileSync(program, args, { cwd, stdio: 'inherit' });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
