import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { activityInWords } from './activity-words.ts';

/** Every action of the audit trail's type, which is not there when the program runs. */
async function knownActions(): Promise<string[]> {
  const path = join(import.meta.dirname, '../../../core/src/access/audit.ts');
  const [, type = ''] = /export type AuditAction =([^;]*);/.exec(await readFile(path, 'utf8')) ?? [];
  return [...type.matchAll(/[`']([\w-]+):(?:\$\{([^}]+)\}|([\w-]+))[`']/g)].flatMap(([, subject, verbs, verb]) =>
    verbs ? [...verbs.matchAll(/'([\w-]+)'/g)].map(([, one]) => `${subject}:${one}`) : [`${subject}:${verb}`],
  );
}

describe('activityInWords', () => {
  it('has a sentence for everything that the audit trail says', async () => {
    const actions = await knownActions();
    expect(actions).toContain('two-factor:on');
    const unsaid = actions.filter((action) => activityInWords(action).includes(':'));
    expect(unsaid, 'write a sentence for each of them in webmail/src/words/activity.ts').toEqual([]);
  });

  it('says what it does not know in its own words', () => {
    expect(activityInWords('domain:dkim-renewed')).toBe('Domain: dkim renewed');
  });
});
