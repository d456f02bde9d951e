/** Parses profiles in the INI files of the AWS CLI. Performs no I/O. */

/**
 * Returns the settings in the section `[name]`, or of `[profile name]` as in the AWS CLI's configuration file. Returns
 * undefined if neither section exists.
 */
export function profileSection(said: string, profile: string): Map<string, string> | undefined {
  let members: Map<string, string> | undefined;
  let isInside = false;
  for (const line of said.split(/\r?\n/)) {
    const [, section] = /^\s*\[\s*(.+?)\s*\]\s*(?:[#;].*)?$/.exec(line) ?? [];
    if (section !== undefined) {
      isInside = section === profile || section.replace(/^profile\s+/, '') === profile;
      if (isInside) members ??= new Map();
    }
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (isInside && name !== undefined) members?.set(name.toLowerCase(), value ?? '');
  }
  return members;
}

/**
 * Splits a command line into words like a shell, with quotation marks and backslashes, without running it. Returns
 * undefined if a quotation mark is not closed or the line is empty.
 */
export function wordsOf(line: string): readonly string[] | undefined {
  const words: string[] = [];
  const word = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/gsy;
  let end = 0;
  for (const match of line.matchAll(word)) {
    words.push(unquoted(match[1] ?? ''));
    end = match.index + match[0].length;
  }
  return words.length > 0 && line.slice(end).trim() === '' ? words : undefined;
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}
