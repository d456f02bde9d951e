/** Tests how the release script reads CHANGELOG.md. */

import { expect, test } from 'vitest';

import { releaseNotes } from '../../../.ci/release/release-notes.ts';

const CHANGELOG = `# Changelog

## [0.2.0] - unreleased

### Mirror

- Faster.

## [0.1.0] - 2026-12-01

The first release.
`;

test('the notes of a release are the section of its version', () => {
  expect(releaseNotes(CHANGELOG, '0.1.0')).toEqual({
    date: '2026-12-01',
    text: 'The first release.',
  });
});

test('a section without a date has the word in its place', () => {
  expect(releaseNotes(CHANGELOG, '0.2.0')).toEqual({
    date: 'unreleased',
    text: '### Mirror\n\n- Faster.',
  });
});

test('a version without a section has no notes', () => {
  expect(releaseNotes(CHANGELOG, '0.1')).toBeUndefined();
});
