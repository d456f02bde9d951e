/**
 * Lists folders that a tool, such as a package manager, creates and removes as a whole. All deletes below such a
 * folder count as one change. If users commonly give the same name to their own folders, the folder counts only next
 * to a file that identifies the tool.
 */

interface ToolTree {
  readonly name: string;
  /** Filenames that identify the tool. One of these files must exist next to the folder. */
  readonly siblings?: readonly string[];
  /** Name of a file that must exist inside the folder. */
  readonly inside?: string;
  readonly reason: string;
}

const JAVASCRIPT = ['package.json'];

export const TOOL_TREES: readonly ToolTree[] = [
  {
    name: '.git',
    reason: 'a commit, a fetch or a gc rewrites thousands of objects and references',
  },
  { name: '.hg', reason: 'Mercurial, like .git' },
  { name: '.svn', reason: 'Subversion, like .git' },
  { name: '.bzr', reason: 'Breezy, like .git' },
  { name: '.jj', reason: 'Jujutsu, like .git' },
  { name: 'node_modules', reason: 'npm install and npm ci delete and recreate it' },
  { name: 'bower_components', reason: 'Bower, like node_modules' },
  { name: '.venv', reason: 'Python virtual environments are recreated, not repaired' },
  { name: 'venv', inside: 'pyvenv.cfg', reason: 'a virtual environment, like .venv' },
  { name: 'env', inside: 'pyvenv.cfg', reason: 'a virtual environment, like .venv' },
  { name: '__pycache__', reason: 'Python recompiles its files' },
  { name: '.tox', reason: 'tox recreates its test environments' },
  { name: '.mypy_cache', reason: 'a cache of mypy' },
  { name: '.pytest_cache', reason: 'a cache of pytest' },
  { name: '.gradle', reason: 'a build cache of Gradle' },
  { name: '.terraform', reason: 'terraform init downloads it' },
  { name: '.next', siblings: JAVASCRIPT, reason: 'each build recreates it' },
  { name: 'dist', siblings: JAVASCRIPT, reason: 'each build recreates it' },
  {
    name: 'build',
    siblings: [...JAVASCRIPT, 'build.gradle', 'build.gradle.kts', 'CMakeLists.txt'],
    reason: 'each build recreates it',
  },
  {
    name: 'target',
    siblings: ['Cargo.toml', 'pom.xml', 'build.sbt'],
    reason: 'cargo clean and mvn clean delete it',
  },
  {
    name: 'vendor',
    siblings: ['composer.json', 'go.mod', 'Gemfile'],
    reason: 'the package manager downloads it',
  },
  { name: 'Pods', siblings: ['Podfile'], reason: 'pod install downloads it' },
  { name: 'deps', siblings: ['mix.exs'], reason: 'mix deps.get downloads it' },
  { name: '_build', siblings: ['mix.exs'], reason: 'each build recreates it' },
];

const BY_NAME: ReadonlyMap<string, ToolTree> = new Map(TOOL_TREES.map((tree) => [tree.name, tree]));

/**
 * Returns the outermost tool folder that contains the key, with a trailing `/`; undefined if the key is in no such
 * folder. `isMirrored` returns whether the job has mirrored a key, because the file that identifies the tool may be
 * deleted in the same change.
 */
export function treeOf(key: string, isMirrored: (key: string) => boolean): string | undefined {
  for (let from = 0, slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', from)) {
    const tree = BY_NAME.get(key.slice(from, slash));
    if (
      tree &&
      isOfTool(tree, { above: key.slice(0, from), folder: key.slice(0, slash + 1) }, isMirrored)
    )
      return key.slice(0, slash + 1);
    from = slash + 1;
  }
  return undefined;
}

function isOfTool(
  { siblings, inside }: ToolTree,
  { above, folder }: { readonly above: string; readonly folder: string },
  isMirrored: (key: string) => boolean,
): boolean {
  if (inside !== undefined) return isMirrored(folder + inside);
  return siblings === undefined || siblings.some((name) => isMirrored(above + name));
}
