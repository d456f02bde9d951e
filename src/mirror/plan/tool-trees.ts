/**
 * Folders that belong to a tool, which makes and removes them whole: whatever happens below one is one change of its
 * user's. Names that people give to folders of their own, too, count only beside a file that shows whose they are.
 */

interface ToolTree {
  readonly name: string;
  /** Files of which one is beside the folder. */
  readonly beside?: readonly string[];
  /** A file that is in it. */
  readonly inside?: string;
  readonly reason: string;
}

const JAVASCRIPT = ['package.json'];

export const TOOL_TREES: readonly ToolTree[] = [
  {
    name: '.git',
    reason: 'a commit, a fetch or a gc rewrites objects and references by the thousand',
  },
  { name: '.hg', reason: 'Mercurial: as .git' },
  { name: '.svn', reason: 'Subversion: as .git' },
  { name: '.bzr', reason: 'Breezy: as .git' },
  { name: '.jj', reason: 'Jujutsu: as .git' },
  { name: 'node_modules', reason: 'npm install and npm ci remove it whole' },
  { name: 'bower_components', reason: 'bower: as node_modules' },
  { name: '.venv', reason: 'a virtual environment of Python is made anew, not mended' },
  { name: 'venv', inside: 'pyvenv.cfg', reason: 'as .venv' },
  { name: 'env', inside: 'pyvenv.cfg', reason: 'as .venv' },
  { name: '__pycache__', reason: 'Python compiles it again' },
  { name: '.tox', reason: 'environments of tests, made by tox' },
  { name: '.mypy_cache', reason: 'a cache' },
  { name: '.pytest_cache', reason: 'a cache' },
  { name: '.gradle', reason: 'a cache of the build' },
  { name: '.terraform', reason: 'terraform init fetches it' },
  { name: '.next', beside: JAVASCRIPT, reason: 'each build writes it anew' },
  { name: 'dist', beside: JAVASCRIPT, reason: 'each build writes it anew' },
  {
    name: 'build',
    beside: [...JAVASCRIPT, 'build.gradle', 'build.gradle.kts', 'CMakeLists.txt'],
    reason: 'each build',
  },
  {
    name: 'target',
    beside: ['Cargo.toml', 'pom.xml', 'build.sbt'],
    reason: 'cargo clean, mvn clean',
  },
  {
    name: 'vendor',
    beside: ['composer.json', 'go.mod', 'Gemfile'],
    reason: 'fetched by the package manager',
  },
  { name: 'Pods', beside: ['Podfile'], reason: 'pod install fetches it' },
  { name: 'deps', beside: ['mix.exs'], reason: 'mix deps.get fetches it' },
  { name: '_build', beside: ['mix.exs'], reason: 'each build' },
];

const BY_NAME: ReadonlyMap<string, ToolTree> = new Map(TOOL_TREES.map((tree) => [tree.name, tree]));

/**
 * The outermost folder of a tool that the key lies in, with `/` at the end; undefined for none. `knows` tells whether
 * the job has mirrored a key: the files that show whose a folder is may be going with it.
 */
export function treeOf(key: string, knows: (key: string) => boolean): string | undefined {
  for (let from = 0, slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', from)) {
    const tree = BY_NAME.get(key.slice(from, slash));
    if (
      tree &&
      isShown(tree, { above: key.slice(0, from), folder: key.slice(0, slash + 1) }, knows)
    )
      return key.slice(0, slash + 1);
    from = slash + 1;
  }
  return undefined;
}

function isShown(
  { beside, inside }: ToolTree,
  { above, folder }: { readonly above: string; readonly folder: string },
  knows: (key: string) => boolean,
): boolean {
  if (inside !== undefined) return knows(folder + inside);
  return beside === undefined || beside.some((name) => knows(above + name));
}
