import { type Config, ConfigError, loadConfig } from './config.ts';
import { hasEffect, problemOfSetting } from './settable-settings.ts';

/**
 * The configuration of the process, with variables of the list in place of those of the environment
 * (D55). A value that can't be used is left out and named in `source.unusable`, so that no value
 * keeps the host from starting. A variable that is no setting has no effect, and is never put into
 * the environment of the process.
 */
export function overlayConfig(config: Config, variables: Readonly<Record<string, string>>): Config {
  const { source } = config;
  const wanted: Record<string, string> = {};
  const unusable: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const problem = problemOfSetting(name, value);
    if (problem !== null) unusable[name] = problem;
    else if (hasEffect(name)) wanted[name] = value.trim();
  }
  const whole = load({ ...source.given, ...wanted });
  if (whole instanceof ConfigError) return addOneByOne(config, wanted, unusable);
  return { ...whole, source: { ...source, stored: wanted, unusable } };
}

/** The configuration that the process was started with, and why it uses no variable of the list. */
export function withoutList(config: Config, inForce: Config, reason: string): Config {
  const names = Object.keys(inForce.source.stored);
  const unusable = { ...inForce.source.unusable, ...Object.fromEntries(names.map((name) => [name, reason])) };
  return { ...config, source: { ...inForce.source, stored: {}, unusable } };
}

/**
 * Adds values one by one and leaves out those that make the configuration unusable. Each value is
 * valid by itself, so a refused one conflicts with an earlier one.
 */
function addOneByOne(config: Config, wanted: Record<string, string>, unusable: Record<string, string>): Config {
  const { source } = config;
  const stored: Record<string, string> = {};
  const refused = { ...unusable };
  let inForce = config;
  for (const [name, value] of Object.entries(wanted)) {
    const attempt = load({ ...source.given, ...stored, [name]: value });
    if (attempt instanceof ConfigError) {
      refused[name] = `It can’t be used together with the variables before it: ${attempt.problems.join('; ')}`;
    } else {
      stored[name] = value;
      inForce = attempt;
    }
  }
  return { ...inForce, source: { ...source, stored, unusable: refused } };
}

function load(env: Record<string, string>): Config | ConfigError {
  try {
    return loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}
