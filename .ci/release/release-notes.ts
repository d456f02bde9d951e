/** Reads the section of a release in CHANGELOG.md. */

/**
 * Returns the date and the text of a version's section. Before the release, the date is
 * `unreleased`.
 */
export function releaseNotes(
  changelog: string,
  version: string,
): { readonly date: string; readonly text: string } | undefined {
  const [, ...sections] = changelog.split(/^## /m);
  for (const section of sections) {
    const [title = '', ...lines] = section.split('\n');
    const [, named, date = ''] = /^\[(.+)\] - (\S+)$/.exec(title) ?? [];
    if (named === version) return { date, text: lines.join('\n').trim() };
  }
  return undefined;
}
