/** Writes the documentation page that shows the journeys. A journey is a scripted session of a user. */

import type { Journey } from './journeys.ts';

export interface Taken {
  readonly journey: Journey;
  /** Command and output of each step. */
  readonly steps: readonly string[];
}

const HEAD = `# Three journeys

This page shows three sessions of a new user, command by command. \`npm run tour -- journeys\` runs them in a terminal of 80
columns, with a dark theme, with a light theme and without colours. It checks the output and writes this page. It replaces
dates, seconds and durations with fixed values.
`;

export function journeyPage(taken: readonly Taken[]): string {
  return [HEAD, ...taken.map(chapterOf)].join('\n');
}

function chapterOf({ journey: { title, intro, steps }, steps: shown }: Taken): string {
  const parts: string[] = [`## ${title}\n\n${intro}\n`];
  let session: string[] = [];
  const flush = () => {
    if (session.length > 0) parts.push(`\`\`\`console\n${session.join('\n')}\n\`\`\`\n`);
    session = [];
  };
  for (const [index, text] of shown.entries()) {
    const { says } = steps[index] ?? {};
    if (says !== undefined) {
      flush();
      parts.push(`${says}\n`);
    }
    session.push(text);
  }
  flush();
  return parts.join('\n');
}
