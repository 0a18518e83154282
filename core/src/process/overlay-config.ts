import { type Config, ConfigError, loadConfig } from './config.ts';
import { hasEffect, problemOfSetting } from './settable-settings.ts';

/**
 * The configuration with the variables of the list in place of what the process was started with
 * (D55). A value that can't be used is left out and named in `source.unusable`, so that no value
 * keeps the host from starting. A variable that is no setting has no effect, and is never put into
 * the environment of the process.
 */
export function overlayConfig(config: Config, variables: Readonly<Record<string, string>>): Config {
  const { source } = config;
  const stored: Record<string, string> = {};
  const unusable: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const problem = problemOfSetting(name, value);
    if (problem !== null) unusable[name] = problem;
    else if (hasEffect(name)) stored[name] = value.trim();
  }
  try {
    return { ...loadConfig({ ...source.given, ...stored }), source: { ...source, stored, unusable } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Each value is right by itself, so this is about several together
    const reason = `Not used together with the others: ${error.problems.join('; ')}`;
    const all = Object.fromEntries(Object.keys(stored).map((name) => [name, reason]));
    return { ...config, source: { ...source, unusable: { ...unusable, ...all } } };
  }
}
