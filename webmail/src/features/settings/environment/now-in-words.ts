import type { SettingDto } from '@selvage/core/contracts/environment';
import { wordsOf } from '../../../lib/i18n.ts';
import { environmentWords } from '../../../words/environment.ts';

type Setting = Pick<SettingDto, 'value_in_force' | 'source'>;

/** The value of a setting that is in force, and its source. */
export function nowInWords({ value_in_force: value, source: from }: Setting): string {
  const t = wordsOf(environmentWords);
  const sources = { list: t.fromList, environment: t.fromEnvironment, default: t.fromDefault, none: '' };
  const source = sources[from];
  if (value !== null && value !== '') return t.now({ value, source }).trim();
  return from === 'default' ? t.nowUnset : t.nowHidden({ source }).trim();
}
