import { readdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Message } from '@selvage/core/models/message';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';

const disk = mountSmallDisk();
const uploadDisk = mountSmallDisk();

describe.skipIf(disk === null)('while the disk is full', () => {
  let host: TestHost;
  let ana: Mailbox;
  let client: ApiClient;

  beforeAll(async () => {
    host = await startTestHost({ BLOB_STORE: `file:${disk?.path}/blobs`, UNDO_MS: '0' });
    ana = await buildMailbox(host.app);
    client = new ApiClient(host);
    await client.signIn(ana.user.email, ana.password);
    await putUploadsOnDisk();
  });

  afterAll(() => {
    disk?.unmount();
    uploadDisk?.unmount();
  });

  async function putUploadsOnDisk(): Promise<void> {
    const uploads = join(host.dataDir, 'tmp', 'uploads');
    await rename(uploads, `${uploads}.before`);
    await symlink(uploadDisk?.path ?? '', uploads);
  }

  async function offer(body: string): Promise<string> {
    const peer = await SmtpPeer.open(host.ports.smtp);
    const message = plainMessage({ from: 'a@remote.test', to: ana.user.email, subject: 'in', body });
    const reply = await peer.deliver('a@remote.test', ana.user.email, message);
    peer.close();
    return reply;
  }

  async function submit(): Promise<string> {
    const peer = await SmtpPeer.open(host.ports.submissions, { tls: true });
    await peer.signIn(ana.user.email, ana.password);
    const message = plainMessage({ from: ana.user.email, to: 'b@remote.test', subject: 'submitted' });
    const reply = await peer.deliver(ana.user.email, 'b@remote.test', message);
    peer.close();
    return reply;
  }

  async function send(file?: Buffer): Promise<{ status: number; code: unknown; retryAfter: string | null }> {
    const form = new FormData();
    form.append('recipient_emails_to[]', 'b@remote.test');
    form.append('subject', 'written');
    form.append('body', '<p>x</p>');
    if (file) form.append('attachments', new Blob([new Uint8Array(file)]), 'file.bin');
    const headers = { authorization: `Bearer ${client.token}` };
    const response = await fetch(`${host.url}/api/v1/mail/send`, { method: 'POST', headers, body: form });
    const { code } = (await response.json()) as { code?: unknown };
    return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
  }

  /** All files on the disk except the one that fills it. */
  async function filesOn(path: string | undefined): Promise<string[]> {
    const entries = await readdir(path ?? '', { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.name !== 'filler').map(({ name }) => name);
  }

  const large = Buffer.alloc(1_000_000, 'x');
  const unavailable = { status: 503, retryAfter: expect.stringMatching(/^\d+$/) };

  it('no door accepts mail, no half-written file stays, and mail flows again when there is room', async () => {
    const before = await filesOn(disk?.path);
    await disk?.fill();
    const replies = [await offer('small'), await offer(`${'x'.repeat(78)}\r\n`.repeat(20_000)), await submit()];
    for (const reply of replies) expect(reply).toMatch(/^45[12] 4\.3\.[01] /);
    expect(await send()).toMatchObject({ ...unavailable, code: 'unavailable' });
    expect(await filesOn(disk?.path)).toEqual(before);
    expect(await Message.count({ where: { subject: ['in', 'submitted', 'written'] } })).toBe(0);

    await disk?.makeRoom();
    expect(await offer(`${'x'.repeat(78)}\r\n`.repeat(10_000))).toMatch(/^250/);
    expect(await submit()).toMatch(/^250/);
    expect(await send()).toMatchObject({ status: 200 });
    expect(await Message.count({ where: { subject: ['in', 'submitted', 'written'] } })).toBe(3);
  });

  it('no attachment is truncated', async () => {
    const before = await Message.count();
    await uploadDisk?.fill();
    expect(await send(large)).toMatchObject(unavailable);
    expect(await filesOn(uploadDisk?.path)).toEqual([]);
    expect(await Message.count()).toBe(before);
    await uploadDisk?.makeRoom();
    expect(await send(large)).toMatchObject({ status: 200 });
    expect(await Message.max('size')).toBeGreaterThan(large.length);
  });
});
