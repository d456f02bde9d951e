/** The languages that previews highlight, and the file names that identify each language. */

/** Each language, with its file extensions and complete file names. */
const FILE_NAMES = {
  bash: 'sh bash zsh ksh profile bashrc zshrc',
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp hxx ino',
  csharp: 'cs',
  css: 'css',
  diff: 'diff patch',
  dockerfile: 'dockerfile containerfile',
  go: 'go',
  ini: 'ini toml cfg conf service editorconfig',
  java: 'java',
  javascript: 'js mjs cjs jsx javascript',
  json: 'json jsonc json5 jsonl ndjson geojson webmanifest',
  kotlin: 'kt kts',
  lua: 'lua',
  makefile: 'makefile mk',
  markdown: 'md markdown mkd',
  perl: 'pl pm',
  php: 'php',
  properties: 'properties env',
  python: 'py pyi',
  ruby: 'rb rake gemfile rakefile',
  rust: 'rs',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts mts cts tsx',
  xml: 'xml html htm xhtml svg plist rss atom xsd xsl',
  yaml: 'yaml yml',
} as const;

export type Language = keyof typeof FILE_NAMES;

const BY_NAME = new Map<string, Language>(
  Object.entries(FILE_NAMES).flatMap(([language, names]) => {
    return names.split(' ').map((name) => [name, language as Language] as const);
  }),
);

/** Returns an object's language by its file name, or by its content type if the extension is unknown. */
export function languageOf(key: string, contentType = ''): Language | undefined {
  const name = key.slice(key.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  // Accepts content types such as `text/html; charset=utf-8` and `application/geo+json`.
  const type = /^\w+\/(?:[\w.-]*\+)?([\w-]+)/.exec(contentType.toLowerCase())?.[1] ?? '';
  return BY_NAME.get(extension) ?? BY_NAME.get(type.replace(/^x-/, ''));
}
