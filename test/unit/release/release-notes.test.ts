/** Tests that the release script reads the notes of a version from CHANGELOG.md. */

import { expect, test } from 'vitest';

import { releaseNotes } from '../../../.ci/release/release-notes.ts';

const CHANGELOG = `# Changelog

## [0.2.0] - unreleased

### Mirror

- Faster.

## [0.1.0] - 2026-12-01

The first release.
`;

test('the release notes of a version are the section of that version in CHANGELOG.md', () => {
  expect(releaseNotes(CHANGELOG, '0.1.0')).toEqual({
    date: '2026-12-01',
    text: 'The first release.',
  });
});

test('if CHANGELOG.md has a word in place of the date of a version, the release notes have that word as their date', () => {
  expect(releaseNotes(CHANGELOG, '0.2.0')).toEqual({
    date: 'unreleased',
    text: '### Mirror\n\n- Faster.',
  });
});

test('a version without a section has no release notes', () => {
  expect(releaseNotes(CHANGELOG, '0.1')).toBeUndefined();
});
