import { Router } from '@koa/router';
import { requireInFolder } from '@selvage/core/access/mail-permissions';
import { readActor } from '@selvage/core/access/read-actor';
import { notFound } from '@selvage/core/errors';
import { FairQueue } from '@selvage/core/fair-queue';
import { safeFileName } from '@selvage/core/mail/file-name';
import { blobOf, type EntryRef, findAttachment, findEntry } from '@selvage/core/mailstore/find-entry';
import { readSource } from '@selvage/core/mailstore/message-source';
import { readBlob } from '@selvage/core/mailstore/read-blob';
import { readEntryAlone } from '@selvage/core/mailstore/read-entry';
import { Attachment } from '@selvage/core/models/attachment';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import type { Context, Middleware } from 'koa';
import { hasDuties } from '../auth/first-duties.ts';
import { whenGone } from '../http/limit-sending.ts';
import { actorContext, contextOf, type SignedIn } from '../http/request-context.ts';
import { endTurn } from '../http/request-turns.ts';
import { notBegun } from '../http/work-queue.ts';
import { imagesPath, largestOf, showPage } from './body-html.ts';
import { answerDownload, answerPicture, answerZip } from './download.ts';
import { answerFrame, pageOf } from './frame-page.ts';
import { type InTurn, readMessages, readToSend, wholeBytes } from './message-readers.ts';
import { fetchRemoteImage, hasRemoteImage } from './remote-image.ts';
import { readSignedToken, type SignedKind } from './signed-path.ts';
import { zipAttachments } from './zip-attachments.ts';

/**
 * How many pieces of work for these paths run at once, and how many of one person, so that one
 * person's files leave room for those of all others.
 */
const limits = { atOnce: 100, ofKey: 4, waiting: 1000 };

/** Files and message texts under signed paths. */
export function uploadRoutes(app: App): Middleware {
  const router = new Router({ prefix: '/upload' });
  const turns = new FairQueue(limits);
  // Memory is waited for, and answers are sent, outside of these turns. A slow client, or a large
  // file that waits for memory, must not delay the person's other files
  const turnsOf =
    (koa: Context, userId: string): InTurn =>
    (work) =>
      turns.run(userId, async () => {
        if (koa.res.closed) throw notBegun();
        return await work();
      });
  const fieldsOf = (kind: SignedKind, token: string | undefined) => readSignedToken(app, kind, token ?? '');

  router.get('/attachment/:token', async (koa) => {
    const [userId = '', entryId = '', index = ''] = fieldsOf('attachment', koa.params['token']);
    const ctx = await contextOfOwner(koa, userId);
    const inTurn = turnsOf(koa, userId);
    const bytes = await inTurn(() => bytesOfFile(ctx, { userId, entryId, index }));
    const read = () => inTurn(() => findAttachment(ctx, { userId, entryId, index: Number(index) }));
    const found = await readToSend(app, koa, { userId, bytes }, read, (file) => file?.content.length ?? 0);
    if (!found) throw notFound('file');
    const { filename, contentType, charset, contentId } = found.meta;
    answerDownload(koa, { filename, contentType, charset, content: found.content, mayShow: contentId !== null });
  });

  router.get('/files/:token', async (koa) => {
    const [userId = '', entryId = ''] = fieldsOf('files', koa.params['token']);
    const ctx = await contextOfOwner(koa, userId);
    answerZip(app, koa, await zipAttachments(ctx, { userId, entryId }, turnsOf(koa, userId)));
  });

  router.get('/draft-attachment/:token', async (koa) => {
    const [userId = '', id = ''] = fieldsOf('draft-attachment', koa.params['token']);
    requireInFolder(await contextOfOwner(koa, userId), 'draft', 'view');
    const inTurn = turnsOf(koa, userId);
    const file = await inTurn(() => findDraftFile(userId, id));
    const { filename, contentType } = file;
    const reading = { userId, bytes: wholeBytes(file) };
    const read = () => inTurn(() => readBlob(app.blobs, file.blobKey));
    const content = await readToSend(app, koa, reading, read, lengthOf);
    answerDownload(koa, { filename, contentType, content, mayShow: false });
  });

  router.get('/source/:token', async (koa) => {
    const [userId = '', entryId = ''] = fieldsOf('source', koa.params['token']);
    const ctx = await contextOfOwner(koa, userId);
    const inTurn = turnsOf(koa, userId);
    const { message } = await inTurn(() => findEntry(ctx, { userId, entryId }));
    const title = message.subject.replace(/[/\\]/g, '-').slice(0, 120) || 'message';
    const filename = safeFileName(`${title}.eml`, 'message/rfc822', 0);
    const reading = { userId, bytes: wholeBytes(message) };
    const read = () => inTurn(() => readSource(app, message));
    const content = await readToSend(app, koa, reading, read, lengthOf);
    answerDownload(koa, { filename, contentType: 'message/rfc822', content, mayShow: false });
  });

  router.get('/frame/:token', async (koa) => {
    const [userId = '', entryId = ''] = fieldsOf('frame', koa.params['token']);
    const ctx = await contextOfOwner(koa, userId);
    const inTurn = turnsOf(koa, userId);
    const item = await inTurn(() => readEntryAlone(ctx, { userId, entryId }));
    const show = async () => {
      const text = await inTurn(() => showPage(ctx, item));
      return pageOf(koa, { ...text, imagesPath: imagesPath(ctx, item.entry) });
    };
    answerFrame(ctx, koa, await readToSend(app, koa, { userId, bytes: largestOf([item]) }, show, lengthOf));
  });

  router.get('/remote/:token', async (koa) => {
    const [userId = '', entryId = ''] = fieldsOf('remote', koa.params['token']);
    const ctx = await contextOfOwner(koa, userId);
    const inTurn = turnsOf(koa, userId);
    const { message } = await inTurn(() => findEntry(ctx, { userId, entryId }));
    const reading = { userId, bytes: Number(message.size) };
    const show = () => app.content.show(blobOf(message), `user:${userId}`);
    const shown = await readMessages(app, reading, () => inTurn(show), whenGone(koa));
    const url = String(koa.query['url'] ?? '');
    if (!hasRemoteImage(shown, url)) throw notFound('file', 'There is no such picture in this message.');
    answerPicture(app, koa, await fetchRemoteImage(ctx, { userId, url, gone: whenGone(koa) }));
  });

  return router.routes() as Middleware;
}

const lengthOf = ({ length }: Buffer): number => length;

/**
 * The memory that reading a file of a message needs. For a file without a row, that of the whole
 * message.
 */
async function bytesOfFile(ctx: Ctx, { index, ...ref }: EntryRef & { index: string }): Promise<number> {
  const { message } = await findEntry(ctx, ref);
  const file = await Attachment.findOne({ where: { messageId: message.id, partIndex: Number(index) } });
  return wholeBytes(file ?? message);
}

async function findDraftFile(userId: string, id: string): Promise<DraftAttachment> {
  const file = await DraftAttachment.findByPk(id);
  const draft = file && (await Draft.findOne({ where: { id: file.draftId, userId } }));
  if (!file || !draft) throw notFound('file');
  return file;
}

/**
 * The context of the person to whom a link belongs. A link outlives the session that made it, but
 * neither the person's account nor their right to read what it opens (D4).
 * @throws 404 when the person may not use the account, or first has to change the password or set
 *   up a second factor
 */
async function contextOfOwner(koa: Context, userId: string): Promise<SignedIn> {
  const ctx = contextOf(koa);
  const owner = await readActor(ctx, userId, null);
  if (!owner || hasDuties(owner.actor)) throw notFound('file');
  // The rest of the call takes turns by person, no longer by network
  endTurn(koa.req);
  return actorContext(ctx, owner.actor);
}
