import type { SettingDto, SettingSource, VariableDto } from '@selvage/core/contracts/environment';
import type { EnvironmentVariable } from '@selvage/core/models/environment-variable';
import {
  defaultOf,
  hasEffect,
  isSecretSetting,
  meaningOf,
  problemOfSetting,
} from '@selvage/core/process/settable-settings';
import type { SignedIn } from '../http/request-context.ts';

/** The facts from which a variable is presented. */
export interface Presented {
  row: EnvironmentVariable;
  /** Null when the value can't be decrypted. */
  value: string | null;
  /** The oldest revision of the list with which a process runs. */
  oldest: number;
  /** Name of the person who changed it last. */
  by: string | null;
}

/** A variable as a Super Admin sees it; never the value of a secret. */
export function presentVariable(ctx: SignedIn, { row, value, oldest, by }: Presented): VariableDto {
  const isSecret = isSecretSetting(row.name);
  return {
    _id: String(row.id),
    value: isSecret ? null : value,
    is_secret: isSecret,
    has_effect: hasEffect(row.name),
    ...presentSetting(ctx, row.name),
    needs_restart: hasEffect(row.name) && row.revision > oldest,
    problem: problemOf(ctx, row, value),
    version: row.version,
    updatedAt: row.updatedAt.toISOString(),
    updated_by: by,
  };
}

/**
 * Why the value is not used: as this process found when it started, or as the value is checked now.
 */
function problemOf({ app }: SignedIn, row: EnvironmentVariable, value: string | null): string | null {
  const { unusable, revision } = app.config.source;
  // This process has not yet tried a value that was changed after its start
  const found = row.revision > revision ? undefined : unusable[row.name];
  if (found !== undefined) return found;
  if (value === null) return 'It was stored under another secret key and can’t be read. Give the value again.';
  return problemOfSetting(row.name, value);
}

/** The value of a setting that this process uses, and where it comes from. */
export function presentSetting(ctx: SignedIn, key: string): SettingDto {
  const { value, source } = inForce(ctx, key);
  return { key, description: meaningOf(key), value_in_force: isSecretSetting(key) ? null : value, source };
}

function inForce({ app }: SignedIn, key: string): { value: string | null; source: SettingSource } {
  const { stored, given } = app.config.source;
  if (!hasEffect(key)) return { value: null, source: 'none' };
  if (stored[key] !== undefined) return { value: stored[key], source: 'list' };
  if (given[key] !== undefined) return { value: given[key], source: 'environment' };
  return { value: defaultOf(key), source: 'default' };
}
