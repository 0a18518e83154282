import type { StoryDto, TracedDto } from '@selvage/core/contracts/trace';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SMTPServerOptions } from 'smtp-server';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox } from '../support/factories.ts';
import { speak, startOddServer } from '../support/odd-server.ts';
import { type RemoteServer, startRemoteServer } from '../support/remote-server.ts';
import { prepareSigning } from '../support/signing.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let client: ApiClient;
const servers: RemoteServer[] = [];

beforeAll(async () => {
  // A server that answers may take a while on a busy machine
  host = await startTestHost({ UNDO_MS: '0', OUTBOUND_TIMEOUT_SECONDS: '5', RETRY_SCHEDULE: '1,3600' });
  const ana = await buildMailbox(host.app, { roleNumber: builtInRole.admin });
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

let lastAddress = 1;

/** Mail for the domain goes to an address of its own. */
function publish(domain: string): string {
  lastAddress += 1;
  const address = `127.0.2.${lastAddress}`;
  host.dns.addRecords(domain, { MX: [{ preference: 0, exchange: `mx.${domain}` }] });
  host.dns.addRecords(`mx.${domain}`, { A: [address] });
  return address;
}

async function remote(domain: string, options: SMTPServerOptions): Promise<RemoteServer> {
  const server = await startRemoteServer(options, host.remote.port, publish(domain));
  servers.push(server);
  return server;
}

const answer = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });

async function send(domain: string): Promise<void> {
  const form = new FormData();
  form.append('recipient_emails_to[]', `bob@${domain}`);
  form.append('subject', `to ${domain}`);
  form.append('body', '<p>x</p>');
  await client.data('POST', '/mail/send', form);
}

/** The story of the message for a domain, found by the search, once it has come so far. */
async function storyOf(domain: string, isThere: (story: StoryDto) => boolean): Promise<StoryDto> {
  return await until(`the story of ${domain}`, async () => {
    const [found] = await client.data<TracedDto[]>('GET', `/trace/get/all?search=bob@${domain}`);
    const story = found && (await client.data<StoryDto>('GET', `/trace/get/${found._id}`));
    return story && isThere(story) && story;
  });
}

/** Whether an attempt has failed. The next one may be under way, and waits much longer. */
const isDeferred = ({ past }: StoryDto): boolean => past.length > 0;

describe('the trace of a message', () => {
  it('tells that a server refused it for good, in its own words', async () => {
    const domain = 'refuses.trace.test';
    await remote(domain, { onRcptTo: (_address, _session, done) => done(answer(550, '5.7.1 not from you')) });
    await send(domain);
    const story = await storyOf(domain, ({ state }) => state === 'bounced');
    expect(story).toMatchObject({ reason: 'remote_refused', past: [], last: { remote_host: `mx.${domain}` } });
    expect(story.last.reply).toContain('5.7.1 not from you');
    expect(story.arrival?.protocol).toBe('HTTPS');
  });

  it('tells of a greylisting and of the attempt that succeeded', async () => {
    const domain = 'greylists.trace.test';
    let asked = 0;
    await remote(domain, {
      onRcptTo: (_address, _session, done) => {
        asked += 1;
        done(asked === 1 ? answer(451, '4.7.1 greylisted, come back') : null);
      },
    });
    await send(domain);
    const story = await storyOf(domain, ({ state }) => state === 'relayed');
    expect(story.past).toHaveLength(1);
    expect(story.past[0]).toMatchObject({ reason: 'remote_deferred', remote_host: `mx.${domain}` });
    expect(story.past[0]?.reply).toContain('4.7.1 greylisted, come back');
    expect(story).toMatchObject({ attempts: 2, reason: 'remote_accepted' });
  });

  it('tells that a server put it off, does not answer, or is not there', async () => {
    const late = 'later.trace.test';
    await remote(late, { onMailFrom: (_address, _session, done) => done(answer(421, '4.3.2 closing')) });
    const silent = 'silent.trace.test';
    await startOddServer(host.remote.port, publish(silent), () => undefined);
    const away = 'away.trace.test';
    publish(away);
    await Promise.all([late, silent, away].map(send));
    expect((await storyOf(late, isDeferred)).past[0]).toMatchObject({ reason: 'remote_deferred' });
    expect((await storyOf(silent, isDeferred)).past[0]).toMatchObject({ reason: 'timeout' });
    const story = await storyOf(away, isDeferred);
    expect(story.past[0]).toMatchObject({ reason: 'connection_failed' });
    expect(story.state).toBe('queued');
  });

  it('tells that a domain does not exist', async () => {
    const domain = 'nowhere.trace.test';
    await send(domain);
    expect((await storyOf(domain, ({ state }) => state === 'bounced')).reason).toBe('no_such_domain');
  });

  it('tells what came of a server whose encryption is broken', async () => {
    const domain = 'untls.trace.test';
    const replies = { EHLO: '250-mx.odd.test\r\n250 STARTTLS', STARTTLS: '220 go', MAIL: '250 ok', RCPT: '250 ok' };
    await startOddServer(host.remote.port, publish(domain), (socket) => {
      speak(socket, replies);
      // What follows STARTTLS is no handshake
      socket.on('data', (bytes: Buffer) => {
        if (bytes.toString().startsWith('STARTTLS')) socket.write('this is no handshake\r\n');
      });
    });
    await send(domain);
    const story = await storyOf(domain, (one) => one.past.length > 0 || one.state !== 'queued');
    const reasons = [...story.past.map(({ reason }) => reason), story.reason];
    expect(reasons).not.toContain('internal_error');
    expect(story.past[0]?.remote_host ?? story.last.remote_host).toBe(`mx.${domain}`);
  });

  it('shows after the actions of the queue what became of it, and the ledger is right', async () => {
    const domain = 'mended.trace.test';
    let isMended = false;
    await remote(domain, {
      onRcptTo: (_address, _session, done) => done(isMended ? null : answer(451, '4.2.0 not now')),
    });
    await send(domain);
    const story = await storyOf(domain, ({ past, is_sending: isSending }) => past.length === 2 && !isSending);
    const act = (action: string) => client.data('POST', `/queue/change/${story._id}`, { action });
    await act('hold');
    await storyOf(domain, ({ state, reason }) => state === 'held' && reason === 'held_by_administrator');
    isMended = true;
    await act('release');
    expect((await storyOf(domain, ({ state }) => state === 'relayed')).past).toHaveLength(2);
    const away = await storyOf('away.trace.test', ({ is_sending: isSending }) => !isSending);
    await client.data('POST', `/queue/change/${away._id}`, { action: 'give_up' });
    expect(await storyOf('away.trace.test', ({ state }) => state === 'bounced')).toMatchObject({ reason: 'given_up' });
    await until('the sender is told', async () =>
      (await Promise.all((await client.folder()).map(({ _id }) => client.email(_id)))).some(({ body }) =>
        body.includes('an administrator stopped trying to deliver it'),
      ),
    );
  });
});
