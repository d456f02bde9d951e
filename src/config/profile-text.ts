/** The INI files of the aws tools, as far as profiles go. Pure. */

/** Of `[name]`, or of `[profile name]`, as their configuration has it; undefined where there is neither. */
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

/** A command line as a shell would split it, which runs it not: quotation marks and backslashes. Undefined where it has no end. */
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
