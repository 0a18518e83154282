import { type DatabaseTarget } from '../database/run-statement.ts';
import { readRows } from '../database/run-sql.ts';
import type { SecretsBox } from '../secrets/secrets-box.ts';

const purpose = 'environment-variable';

/** Seals the value of a variable for the database. It can be opened only under the same name. */
export function sealVariable(secrets: SecretsBox, name: string, value: string): string {
  return secrets.seal(`${name}=${value}`, purpose);
}

/** @throws if it was changed, or sealed for another name or under another key */
export function openVariable(secrets: SecretsBox, { name, sealedValue }: SealedVariable): string {
  const text = secrets.open(sealedValue, purpose);
  if (!text.startsWith(`${name}=`)) throw new Error('the value was sealed for another variable');
  return text.slice(name.length + 1);
}

/** A variable as its row has it. */
export interface SealedVariable {
  name: string;
  sealedValue: string;
}

/** The variables of the list. */
export interface StoredVariables {
  values: Record<string, string>;
  /** Values that can't be opened, with the reason, by name. */
  unreadable: Record<string, string>;
}

/** Reads every variable of the list. */
export async function readVariables(target: DatabaseTarget, secrets: SecretsBox): Promise<StoredVariables> {
  const statement = 'SELECT name, sealed_value AS sealedValue FROM environment_variables ORDER BY name';
  const rows = await readRows<SealedVariable>(target, statement, []);
  const values: Record<string, string> = {};
  const unreadable: Record<string, string> = {};
  for (const row of rows) {
    try {
      values[row.name] = openVariable(secrets, row);
    } catch {
      unreadable[row.name] = 'It was stored under another secret key and can’t be read. Give the value again.';
    }
  }
  return { values, unreadable };
}
