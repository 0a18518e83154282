import type { DraftDto } from '@selvage/core/contracts/drafts';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { runCommand } from '../support/start-command.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  host = await startTestHost();
  ana = await buildMailbox(host.app);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

/** What a command of the operator has to know of the host. */
const operator = () => ({ DATABASE_URL: host.app.config.databaseUrl, SELVAGE_DATA: host.dataDir });
const find = (q: string) =>
  // On a busy machine a search may answer before the index has all that has come
  until(`a search for ${q} in all mail`, async () => {
    const path = `/mail/search?${new URLSearchParams({ q }).toString()}`;
    const found = await client.data<{ rows: SearchRowDto[]; is_complete: boolean }>('GET', path);
    return found.is_complete && found;
  });

async function deliver(subject: string, body: string): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const message = plainMessage({ from: 'bea@remote.test', to: ana.user.email, subject, body });
  expect(await peer.deliver('bea@remote.test', ana.user.email, message)).toMatch(/^250/);
  peer.close();
}

describe('searching on a running host', () => {
  it('finds a message as soon as the sending server has heard that it is stored', async () => {
    for (const word of ['shuttle', 'treadle', 'bobbin']) {
      await deliver(`About the ${word}`, `Its price is 4 euro.`);
      expect((await find(`subject:${word}`)).rows.map(({ subject }) => subject)).toEqual([`About the ${word}`]);
    }
    expect((await find('price from:bea')).rows).toHaveLength(3);
  });

  it('finds a draft once its writer has paused, and no more when it was deleted', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ subject: 'Begun', body: '<p>About the heddle</p>' })) {
      form.append(name, value);
    }
    const { _id: draftId } = await client.data<DraftDto>('POST', '/mail/draft/save', form);
    const hits = await until('the draft is found', async () => {
      const { rows } = await find('heddle');
      return rows.length > 0 && rows;
    });
    expect(hits).toMatchObject([{ folder: 'draft', draft_id: draftId, subject: 'Begun' }]);
    await client.data('DELETE', '/mail/draft/delete', { draft_ids: [draftId] });
    expect((await find('heddle')).rows).toEqual([]);
  });

  it('goes on while all indexes are built anew', async () => {
    const rebuilding = runCommand('ops/search-rebuild.ts', [], operator());
    await deliver('Meanwhile', 'It comes while the indexes are built.');
    expect((await find('meanwhile')).rows).toHaveLength(1);
    const { code, output } = await rebuilding;
    expect({ code, output: output.trim() }).toEqual({
      code: 0,
      output: expect.stringMatching(/^messages indexed: [34], mailboxes: 1$/) as string,
    });
    expect((await find('price')).rows).toHaveLength(3);
    const lost = await runCommand('ops/search-rebuild.ts', ['nobody@remote.test'], operator());
    expect(lost).toMatchObject({ code: 2, output: expect.stringContaining('there is no mailbox') as string });
  });
});
