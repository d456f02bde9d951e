#!/usr/bin/env node
/** The program's first file. It imports nothing at first: an old Node must be refused before better-sqlite3 crashes it. */

const NEEDED = [22, 22] as const;

function refusal(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
    return (
      `start holdfast: it needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}\n` +
      '  install Node 24 from https://nodejs.org; in a checkout, npm start and npx holdfast bring their own'
    );
  }
  if (process.platform !== 'win32') return undefined;
  return 'start holdfast: it runs on Linux and macOS, not on Windows\n  use it inside WSL 2';
}

/** Half of a short command's time goes into compiling what it imports. Without a place for it nothing is lost. */
async function keepCompiledCode(): Promise<void> {
  const [{ enableCompileCache }, { homedir }, path] = await Promise.all([
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ]);
  // Not in the common temporary folder, which is the default: others could prepare code for us there.
  const caches = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  enableCompileCache(path.join(caches, 'holdfast'));
}

const reason = refusal();
if (reason === undefined) {
  await keepCompiledCode();
  const { loadLighter } = await import('./lighter-modules.ts');
  loadLighter();
  const { runProcess } = await import('./run-process.ts');
  await runProcess();
} else {
  process.stderr.write(`holdfast: ${reason}\n`);
  process.exitCode = 1;
}
