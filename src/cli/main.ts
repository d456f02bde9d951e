#!/usr/bin/env node
/**
 * Starts the program. It has no static imports, because it must reject an old version of Node before better-sqlite3,
 * which would crash that version, is loaded.
 */

/**
 * The minimum version of Node, major and minor: the one that the tests run on, and that `engines` in package.json
 * names.
 */
const NEEDED = [24, 21] as const;

/** Returns the error message if this version of Node or this platform is not supported, and undefined otherwise. */
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

const reason = refusal();
if (reason === undefined) {
  const { keepCompiledCode } = await import('./compiled-code.ts');
  keepCompiledCode();
  const { runProcess } = await import('./run-process.ts');
  await runProcess();
} else {
  process.stderr.write(`holdfast: ${reason}\n`);
  process.exitCode = 1;
}
