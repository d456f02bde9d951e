/** Shows the two sides of a conflict, and the effect of each possible resolution. */

import type { Area } from '../../widgets/layout.ts';
import { facts } from '../../widgets/facts.ts';
import { beside } from '../../widgets/layout.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { dayText, minuteText } from '../../../src/text/time.ts';
import { pad, wrap } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import type { Outcome } from '../../data/outcome.ts';
import { stepText } from './columns.ts';
import { ANSWER_NAMES, ANSWERS } from './conflict-data.ts';
import type { Answer, ConflictRow, ConflictSides } from './conflict-data.ts';

type Side = ConflictSides['local'];

const LABELS = 9;
/** The width of a key and the space after it. */
const KEY_CELLS = 2;
/** The minimum height for showing both sides below each other, followed by the possible resolutions. */
const ROOMY_ROWS = 22;
const KEYS: Readonly<Record<Answer, string>> = { local: 'A', remote: 'B', both: 'K' };

export function conflictDetails(
  row: ConflictRow,
  sides: Outcome<ConflictSides> | undefined,
  { columns: width, rows }: Area,
  look: Look,
): string[] {
  const head = saidLines(row, width, look);
  if (!sides) return [...head, look.paint('dim', `${look.glyphs.ellipsis} reading both sides`)];
  const { value, problem } = sides;
  if (!value)
    return [...head, ...wrap(look.name(problem), width).map((line) => look.paint('bad', line))];
  const shown =
    rows >= ROOMY_ROWS ? oneBelowOther(value, width, look) : sideBySide(value, width, look);
  const answers = answerLines(row, value, { width, labels: LABELS }, look);
  if (head.length + shown.length + answers.length <= rows) return [...head, ...shown, ...answers];
  // If there is not enough space, the keys and their effects come first, because they must be visible. The comparison
  // screen also shows both sides.
  return [...answerLines(row, value, { width, labels: KEY_CELLS }, look), ...head, ...shown];
}

const labels = (look: Look): string[] =>
  LINES.map(({ label }) => look.paint('dim', pad(label, LABELS)));

function sideBySide({ local, remote }: ConflictSides, width: number, look: Look): string[] {
  const room = Math.max(10, Math.floor((width - LABELS - 2) / 2));
  const columns = [
    ['LOCAL', ...factsOf(local, look)],
    ['BUCKET', ...factsOf(remote, look)],
  ].map((lines) => lines.map((line) => look.fit(line, room)));
  return beside([[' '.repeat(LABELS), ...labels(look)], ...columns], 1);
}

function oneBelowOther({ local, remote }: ConflictSides, width: number, look: Look): string[] {
  const block = (side: Side): string[] => {
    const named = LINES.map(({ label, text }) => [label, look.name(text(side, look))] as const);
    return facts(named, look, width);
  };
  const title = (text: string): string => look.paint('strong', text);
  return [title('LOCAL'), ...block(local), '', title('BUCKET'), ...block(remote), ''];
}

/** Returns how the conflict was resolved, or the resolution that the next full sync round will apply. */
function saidLines(
  { state, resolution, resolvedAt = 0, wish, gaveWayTo }: ConflictRow,
  width: number,
  look: Look,
): string[] {
  if (gaveWayTo !== undefined) {
    const text = `your file until ${minuteText(resolvedAt)}: replaced (keep ${resolution ? ANSWER_NAMES[resolution] : ''}), and stored in the bucket`;
    return wrap(text, width).map((line) => look.paint('dim', line));
  }
  if (state === 'resolved')
    return [
      look.paint(
        'good',
        look.cut(
          `resolved ${minuteText(resolvedAt)}: keep ${resolution ? ANSWER_NAMES[resolution] : ''}`,
          width,
        ),
      ),
    ];
  if (wish === undefined) return [];
  const text = `keep ${ANSWER_NAMES[wish]}: pending until the next full round`;
  return wrap(text, width).map((line) => look.paint('accent', line));
}

const LINES: readonly {
  readonly label: string;
  readonly text: (side: Side, look: Look) => string;
}[] = [
  { label: 'place', text: whereText },
  { label: 'size', text: sizeText },
  { label: 'content', text: contentText },
  { label: 'writer', text: makerText },
  { label: 'retained', text: retentionText },
];

function factsOf(side: Side, look: Look): string[] {
  return LINES.map(({ text }) => look.name(text(side, look)) || look.glyphs.none);
}

function whereText({ where, missing, kind, versionId, savedAs }: Side): string {
  if (missing) return where === 'folder' ? 'no file there now' : 'no object in the bucket now';
  if (where === 'folder')
    return kind === 'symlink' ? 'link in the folder' : `${kind} in the folder`;
  if (savedAs !== undefined) return `saved as ${savedAs}`;
  const version = versionId === undefined ? '' : ` ${versionId}`;
  return where === 'current' ? `current${version}` : `version${version}`;
}

function sizeText({ sizeBytes, modifiedAt }: Side): string {
  const size = sizeBytes === undefined ? [] : [bytesText(sizeBytes)];
  return [...size, ...(modifiedAt === undefined ? [] : [minuteText(modifiedAt)])].join(', ');
}

function contentText({ sha256, etag }: Side): string {
  if (sha256 !== undefined) return `sha256 ${sha256}`;
  return etag === undefined ? '' : `ETag ${etag}`;
}

function makerText({ where, byMirror, owner }: Side): string {
  if (where === 'folder' || byMirror === undefined) return '';
  const tool = byMirror ? 'this job' : 'another tool';
  return owner === undefined ? tool : `${tool}, ${owner}`;
}

function retentionText({ retention, legalHold }: Side): string {
  const hold = legalHold === true ? ['legal hold'] : [];
  const until = retention ? [`${retention.mode} ${dayText(retention.retainUntil)}`] : [];
  return [...until, ...hold].join(', ');
}

function answerLines(
  { state }: ConflictRow,
  { steps }: ConflictSides,
  { width, labels: cells }: { readonly width: number; readonly labels: number },
  look: Look,
): string[] {
  if (state === 'resolved') return [];
  const lines = ANSWERS.flatMap((answer) => {
    const step = steps[answer];
    if (!step) return [];
    const text = wrap(stepText(step, answer), Math.max(20, width - cells));
    return text.map((line, index) => {
      const label = index === 0 ? `${KEYS[answer]} ${ANSWER_NAMES[answer]}`.slice(0, cells) : '';
      return look.paint('accent', pad(label, cells)) + line;
    });
  });
  return lines.length > 0
    ? lines
    : [look.paint('attention', 'it was resolved in the meantime; press r to reload')];
}
