import { configSchema, engineVariables, fileVariables } from '../process/config-schema.ts';

/** Every variable that Selvage reads. */
export const settingNames: readonly string[] = [
  ...Object.keys(configSchema.shape),
  ...fileVariables.map((name) => `${name}_FILE`),
  ...engineVariables,
];

/** The settings in an environment: every variable that Selvage reads and that is set. */
export function settingsIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(settingNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/**
 * The settings as a file that a shell reads with `set -a; . settings.env`. It leaves out the place
 * of the data, which the machine decides that they are restored on.
 */
export function formatSettings(settings: Record<string, string>): string {
  const kept = Object.entries(settings).filter(([name]) => name !== 'SELVAGE_DATA');
  const lines = kept.map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  return `# The settings of the host when this backup was made. They hold secrets.\n${lines.join('')}`;
}
