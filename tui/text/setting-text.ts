/** Settings of `config.yaml` in one line, as YAML's flow style has them: `[node_modules/, '*.tmp']`. */

/** A string that YAML reads as itself, also within brackets. */
const PLAIN = /^[A-Za-z~/.][\w~/.@+-]*(?: [\w~/.@+-]+)*$/;
const OTHER_THINGS = /^(?:true|false|yes|no|on|off|null|~|\.inf|\.nan)$/i;

export function settingText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return `[${value.map(settingText).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  const members = Object.entries(value).map(
    ([key, each]) => `${stringText(key)}: ${settingText(each)}`,
  );
  return `{${members.join(', ')}}`;
}

function stringText(text: string): string {
  if (PLAIN.test(text) && !OTHER_THINGS.test(text)) return text;
  // Single quotes know no escapes, so that patterns stay readable; controls need the others.
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
    ? JSON.stringify(text)
    : `'${text.replaceAll("'", "''")}'`;
}
