/**
 * The layers of the dashboard, from bottom to top. A folder may import only folders that are listed
 * before it.
 */

/**
 * Screens that another screen contains or opens. A screen without an entry imports no other
 * screens.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  restore: ['diff', 'preview'],
  usage: ['settings'],
  versions: ['diff', 'preview', 'restore'],
  objects: ['preview', 'settings', 'usage'],
  jobs: ['charts', 'objects', 'restore'],
  buckets: ['objects', 'settings', 'usage'],
  locks: ['jobs', 'objects', 'restore'],
  metrics: ['objects'],
  conflicts: ['diff'],
  dashboard: ['charts', 'jobs', 'metrics', 'objects'],
};

const SCREENS = [
  'activity',
  'charts',
  'diff',
  'nodes',
  'preview',
  'settings',
  ...Object.keys(PARTS),
];

const BELOW_SCREENS = ['text', 'theme', 'syntax', 'commands', 'data', 'widgets', 'ui', 'acts'];

const SOURCES = ['src/config', 'src/control', 'src/text'];

interface Row {
  readonly ours: readonly string[];
  readonly node?: 'any' | readonly string[];
  readonly reason: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  text: {
    ours: ['src/control', 'src/text'],
    reason: 'texts and their widths, independent of colours',
  },
  theme: { ours: ['text'], reason: 'colours and glyphs of a terminal; it draws nothing' },
  syntax: {
    ours: ['text', 'theme'],
    reason:
      'lines of text in colours: it knows no objects, and the highlighter runs on its own thread',
  },
  terminal: { ours: ['text', 'theme'], reason: 'access to the terminal and its machine' },
  commands: {
    ours: [],
    node: [],
    reason: 'the commands of each screen, which keys, help and screens share',
  },
  input: { ours: ['src/config', 'commands'], reason: 'it maps keys to commands, and runs none' },
  data: { ours: SOURCES, reason: 'it caches data of the daemon, and draws nothing' },
  widgets: {
    ours: ['src/text', 'text', 'theme', 'syntax', 'commands', 'input', 'data'],
    node: ['node:util'],
    reason: 'lists, forms and charts, independent of the screen that shows them',
  },
  ui: {
    ours: ['src/control', 'text', 'theme', 'commands', 'input', 'data', 'widgets'],
    node: [],
    reason:
      'the interface of a screen, and what every screen receives; it does not depend on screens',
  },
  acts: {
    ours: [
      ...SOURCES,
      'src/mirror/local/held-folder.ts',
      'text',
      'theme',
      'commands',
      'data',
      'widgets',
      'ui',
    ],
    reason: 'changes of the store that several screens offer: they open no screen',
  },
  ...Object.fromEntries(
    SCREENS.map((screen) => [
      `screens/${screen}`,
      {
        ours: [
          ...SOURCES,
          ...BELOW_SCREENS,
          ...(PARTS[screen] ?? []).map((part) => `screens/${part}`),
        ],
        reason:
          'a screen imports only screens below it, and opens others with `Ui`, so that imports form no circle',
      },
    ]),
  ),
  app: {
    ours: [...SOURCES, ...BELOW_SCREENS, 'input', 'terminal', 'screens'],
    reason: 'it runs the screens, and creates those that others open',
  },
};

export const TUI_LAYERS = Object.fromEntries(
  Object.entries(ROWS).map(([folder, { ours, node = 'any', reason }]) => [
    `tui/${folder}`,
    {
      ours: ['src/base', ...ours.map((each) => (each.startsWith('src/') ? each : `tui/${each}`))],
      node,
      reason,
    },
  ]),
);
