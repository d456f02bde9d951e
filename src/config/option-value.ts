/**
 * Converts an option value between `config.yaml` and the line that a user types, such as `30d` for days,
 * `GOVERNANCE 30d` for a lock, or the syntax of `config.yaml`.
 */

import { parseDocument } from 'yaml';

import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import { ownMember } from '../base/own-member.ts';
import { readSize } from '../text/amounts.ts';
import { readDuration } from '../text/time.ts';
import { isText } from './job-options.ts';

const MEGABYTE = 1e6;

/**
 * Parses an option value. Returns null for an empty text. Returns a text in none of the known forms unchanged, so
 * that the schema rejects it.
 */
export function readOptionValue(option: string, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return null;
  const short = ownMember(FORMS, option)?.read(text);
  if (short !== undefined) return short;
  // A quoted string has the same meaning as in `config.yaml`.
  if (isText(option) && !/^['"]/.test(text)) return text;
  const yaml = parseDocument(text);
  return yaml.errors.length > 0 ? text : (yaml.toJS() as unknown);
}

/**
 * Formats an option value as a text from which `readOptionValue` returns the same value. Returns an empty text
 * for an absent value.
 */
export function optionText(option: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  const short = ownMember(FORMS, option)?.text(value);
  if (short !== undefined) return short;
  const isPlain =
    typeof value === 'string' && isText(option) && !/^['"]|\p{Cc}|^\s|\s$/u.test(value);
  return isPlain ? value : yamlText(value);
}

/**
 * A shorter notation than that of `config.yaml`. Its functions return undefined for a text or value that the
 * notation cannot express.
 */
interface Form {
  readonly read: (text: string) => unknown;
  readonly text: (value: unknown) => string | undefined;
}

/** Returns the notation of a number of units as a period, such as `90d` or `2h`. */
function period(unitMs: number, shown: (count: number) => string): Form {
  return {
    read: (text) => {
      const count = (readDuration(text) ?? Number.NaN) / unitMs;
      return /[a-z]/i.test(text) && Number.isInteger(count) ? count : undefined;
    },
    text: (value) => (typeof value === 'number' ? shown(value) : undefined),
  };
}

const days = period(DAY_MS, (count) => (count === 0 ? '0' : `${count}d`));

const LOCK = /^(?:(governance|compliance)\s+)?(\d.*)$/i;

const lock: Form = {
  read: (text) => {
    const [, mode = 'GOVERNANCE', length = ''] = LOCK.exec(text) ?? [];
    const count = days.read(length);
    return count === undefined ? undefined : { mode: mode.toUpperCase(), days: count };
  },
  text: (value) => {
    const { mode, days: count, ...others } = membersOf(value);
    const isShort = typeof mode === 'string' && typeof count === 'number';
    return isShort && Object.keys(others).length === 0 ? `${mode} ${count}d` : undefined;
  },
};

const KEEP = /^(all|hourly|daily|weekly|monthly)[ :]+(\d+ ?[a-z]+)$/i;

/** The notation of version pruning rules, such as `30d` or `all 7d, daily 30d`. */
const keep: Form = {
  read: (text) => {
    if (readDuration(text) !== undefined) return { all: text };
    const parts = text.split(',').map((part) => KEEP.exec(part.trim()));
    if (parts.some((part) => part === null)) return undefined;
    return Object.fromEntries(parts.map((part) => [part?.[1]?.toLowerCase(), part?.[2]]));
  },
  text: (value) => {
    const entries = Object.entries(membersOf(value));
    if (entries.length === 0 || entries.some(([, each]) => typeof each !== 'string'))
      return undefined;
    return entries.map(([name, each]) => `${name} ${each as string}`).join(', ');
  },
};

/** The notation of patterns, separated by commas. */
const patterns: Form = {
  read: (text) => {
    if (/^[['"]/.test(text)) return undefined;
    return text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  },
  text: (value) => {
    const isShort = (each: unknown) =>
      typeof each === 'string' && !/^[['"]|,|\p{Cc}|^\s|\s$|^$/u.test(each);
    return Array.isArray(value) && value.every(isShort) ? value.join(', ') : undefined;
  },
};

const megabytes: Form = {
  read: (text) => {
    const bytes = /[a-z]/i.test(text) ? readSize(text) : undefined;
    return bytes === undefined ? undefined : bytes / MEGABYTE;
  },
  text: (value) => (typeof value === 'number' ? `${value}MB` : undefined),
};

const FORMS: Readonly<Record<string, Form>> = {
  lock,
  keep,
  exclude: patterns,
  conflictWindowDays: days,
  verifyDays: days,
  rescanMinutes: period(MINUTE_MS, (count) => (count % 60 === 0 ? `${count / 60}h` : `${count}m`)),
  verifyMegabytesPerDay: megabytes,
};

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Matches strings that need no quotes in YAML, even inside brackets. */
const PLAIN = /^[A-Za-z~/.][\w~/.@+-]*(?: [\w~/.@+-]+)*$/;
const OTHER_TYPES = /^(?:true|false|yes|no|on|off|null|~|\.inf|\.nan)$/i;

/** Formats a value in YAML flow style on one line, such as `[node_modules/, '*.tmp']`. */
function yamlText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return `[${value.map(yamlText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).map(
    ([key, each]) => `${stringText(key)}: ${yamlText(each)}`,
  );
  return `{${members.join(', ')}}`;
}

function stringText(text: string): string {
  if (PLAIN.test(text) && !OTHER_TYPES.test(text)) return text;
  // Single quotes have no escapes, so patterns stay readable. Only control characters need double quotes with
  // escapes.
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
    ? JSON.stringify(text)
    : `'${text.replaceAll("'", "''")}'`;
}
