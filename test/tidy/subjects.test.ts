/**
 * Tests that the subjects of all commits since the last release follow the rules, and that each
 * rule can fail.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import { brokenSubjects, subjectsSinceRelease } from './subjects.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-subjects-'));

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs Git without the settings of this computer and without the state of a commit in progress. */
function git(cwd: string, ...args: string[]): string {
  const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const signing = ['-c', 'commit.gpgSign=false', '-c', 'tag.gpgSign=false'];
  const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...person, ...signing, ...args], { cwd, env, encoding: 'utf8' });
}

function createRepository(...subjects: string[]): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet');
  commit(...subjects);
}

function commit(...subjects: string[]): void {
  for (const subject of subjects) git(folder, 'commit', '--quiet', '--allow-empty', '-m', subject);
}

test('the subjects of all commits since the last release follow the rules', () => {
  const root = join(import.meta.dirname, '../..');
  expect(brokenSubjects(subjectsSinceRelease(root))).toEqual([]);
});

test.each([
  ['Fix the tests', 'write "area: sentence", without a full stop'],
  ['fixup! engine: sync the folder', 'write "area: sentence", without a full stop'],
  ['engine: sync the folder.', 'write "area: sentence", without a full stop'],
  [`engine: ${'x'.repeat(65)}`, 'write at most 72 characters'],
  ['engine: the round goes on', 'write: continues, resumes'],
])('the commit subject %j is reported with the rule that it breaks', (subject, rule) => {
  expect(brokenSubjects([subject])).toEqual([`"${subject}": ${rule}`]);
});

test('a subject that two commits share is reported once', () => {
  const subject = 'engine: sync the folder';
  expect(brokenSubjects([subject, 'cli: print the version', subject, subject])).toEqual([
    `"${subject}": write another subject for each commit`,
  ]);
});

test.each(['s3 serve: print the URL', 'up, job add: wrap notes', `cli: ${'x'.repeat(67)}`])(
  'the commit subject %j follows the rules',
  (subject) => {
    expect(brokenSubjects([subject])).toEqual([]);
  },
);

test('only the commits after the last release tag are checked', () => {
  createRepository('first', 'second');
  git(folder, 'tag', '-a', 'v1.0.0', '-m', 'Release');
  commit('third', 'fourth');
  expect(subjectsSinceRelease(folder)).toEqual(['fourth', 'third']);
});

test('in a repository without a release tag, only the commits after the given commit are checked', () => {
  createRepository('first', 'second');
  const lastUnchecked = git(folder, 'rev-parse', 'HEAD').trim();
  commit('third');
  expect(subjectsSinceRelease(folder, lastUnchecked)).toEqual(['third']);
});

test('in a shallow clone, only the commits that the clone contains are checked', () => {
  createRepository('first', 'second', 'third');
  const clone = join(folder, 'clone');
  git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
  expect(subjectsSinceRelease(clone)).toEqual(['third']);
});

test('no commit is checked in a folder without its own repository, even inside the repository of another project', () => {
  createRepository('first');
  git(folder, 'tag', 'v1.0.0');
  commit('second');
  const inside = join(folder, 'unpacked');
  mkdirSync(inside);
  expect(subjectsSinceRelease(inside)).toEqual([]);
  rmSync(join(folder, '.git'), { recursive: true });
  expect(subjectsSinceRelease(folder)).toEqual([]);
});

test('no commit is checked in a complete history that does not contain the given commit', () => {
  createRepository('first');
  expect(subjectsSinceRelease(folder)).toEqual([]);
});
