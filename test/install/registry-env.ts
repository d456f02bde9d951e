/** Returns the environment variables that this computer needs to reach the npm registry. */
export function registryEnv(): Record<string, string> {
  const names = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'npm_config_registry'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
