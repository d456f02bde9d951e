#!/usr/bin/env node
/**
 * Starts the program. This file has no static imports. It must reject an old version of Node before better-sqlite3
 * is loaded, because loading better-sqlite3 would crash that version.
 */

/**
 * The minimum version of Node, as major and minor version. The tests run on this version, and `engines` in
 * package.json specifies it.
 */
const NEEDED = [24, 21] as const;

/**
 * Returns the error message if this version of Node or this platform is not supported. Otherwise returns undefined.
 */
function refusal(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
    return (
      `cannot start holdfast: it needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}\n` +
      '  install Node 24 from https://nodejs.org; in a checkout, npm start and npx holdfast bring their own'
    );
  }
  if (process.platform !== 'win32') return undefined;
  return 'cannot start holdfast: it runs on Linux and macOS, not on Windows\n  use it inside WSL 2';
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
