import { join } from 'node:path';
import { settingNames } from '../backup/settings-file.ts';
import { obeyedByPrograms } from '../process/settable-settings.ts';
import { readIfThere } from '../secrets/published-file.ts';

/** Variables that set the clock, the language and the network of a machine. */
const ofMachine = /^(?:TZ|LANG|LC_[A-Z]+|[A-Z]+_PROXY)$/;

/**
 * Says which lines of SELVAGE_DATA/settings.env have no effect. A mistyped name would otherwise
 * leave its setting as it usually is, unseen.
 */
export function doubtsAboutSettings(dataDir: string): string[] {
  const lines = (readIfThere(join(dataDir, 'settings.env')) ?? '').split('\n');
  const names = new Set(lines.flatMap((line) => /^\ufeff?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []));
  const known = new Set(settingNames);
  return [...names].flatMap((name) => {
    if (name === 'SELVAGE_DATA')
      return [`settings.env: SELVAGE_DATA has no effect here; set it where the host is started`];
    if (known.has(name) || obeyedByPrograms.test(name) || ofMachine.test(name)) return [];
    return [`settings.env: there is no setting ${name}, so it has no effect; perhaps it is mistyped`];
  });
}
