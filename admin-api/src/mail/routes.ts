import * as drafts from '@selvage/core/contracts/drafts';
import * as imageSenders from '@selvage/core/contracts/image-senders';
import * as invitations from '@selvage/core/contracts/invitations';
import * as contracts from '@selvage/core/contracts/mail';
import * as folders from '@selvage/core/contracts/mail-folders';
import { searchMail } from '@selvage/core/contracts/search';
import { listSentDeliveries } from '@selvage/core/contracts/sent-deliveries';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { changeThreadStatus } from '@selvage/core/mailstore/change-thread-status';
import { emptyTrashOrJunk } from '@selvage/core/mailstore/empty-trash';
import { listFolder } from '@selvage/core/mailstore/list-folder';
import { listLabel } from '@selvage/core/mailstore/list-label';
import { listThreads } from '@selvage/core/mailstore/list-threads';
import { readEntry } from '@selvage/core/mailstore/read-entry';
import { readMailboxUse } from '@selvage/core/mailstore/mailbox-use';
import { listDrafts } from '@selvage/core/mailstore/list-drafts';
import { readTotals } from '@selvage/core/mailstore/totals';
import { searchMailbox } from '@selvage/core/search/search-mailbox';
import { findSent, type Sent } from '@selvage/core/outbound/send-once';
import { sumUpDeliveries } from '@selvage/core/outbound/sent-deliveries';
import { undoSend } from '@selvage/core/outbound/undo-send';
import { holdAnswerOfCall } from '../http/hold-answer.ts';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { noteRefused } from './note-refused.ts';
import { bytesOf, largestOf, showConversation } from './body-html.ts';
import { findOwnDraft, presentDraft, presentDraftRow, removeOwnDrafts } from './drafts.ts';
import { addImageSender, findTrustedSenders, listImageSenders, removeImageSender } from './image-senders.ts';
import { bindLabels } from './label-routes.ts';
import { listOwnLabels } from './labels.ts';
import { answerInvitation, presentInvitation } from './invitations.ts';
import { bindOwnFolders } from './own-folder-routes.ts';
import { listFoldersOf } from './own-folders.ts';
import { readMessages } from './message-readers.ts';
import { presentEmail, presentRow, presentSentDelivery, presentThread } from './presenter.ts';
import { bindRecipients } from './recipients.ts';
import { saveWriting } from './save-draft.ts';
import { bindScheduled } from './scheduled.ts';
import { presentSearch } from './search.ts';
import { sendWriting } from './send.ts';
import { bindSnooze } from './snooze.ts';
import { flagsIn } from './status-flags.ts';
import { unsubscribe } from './unsubscribe.ts';
import { findDoubts, findFailedChecks, findWarnings } from './warnings.ts';
import { bindWholeFolders } from './whole-folder-routes.ts';

/** Binds the calls about the caller's mail. */
export function bindMail(router: ApiRouter): void {
  bindReading(router);
  bindStatus(router);
  bindWholeFolders(router);
  bindSending(router);
  bindScheduled(router);
  bindSnooze(router);
  bindRecipients(router);
  bindLabels(router);
  bindOwnFolders(router);
  bindDrafts(router);
  bindImageSenders(router);
  bindInvitations(router);
  bindLists(router);
}

function bindReading(router: ApiRouter): void {
  route(router, contracts.listEmails, async (ctx, { query }) => {
    const filter = contracts.folderFilters.find((name) => query[name]);
    const { userId } = signedIn(ctx).actor;
    const { page, limit, label: labelId, own_folder: ownFolderId } = query;
    if (labelId) {
      const { rows, total } = await listLabel(ctx, { userId, labelId, page, limit });
      return { rows: rows.map(presentRow), total };
    }
    if (query.grouped && filter !== 'star_status') {
      const asked = { userId, page, limit, ownFolderId, filter: filter ?? 'received_status' };
      const threads = await listThreads(ctx, asked);
      return { rows: threads.rows.map(presentThread), total: threads.total };
    }
    const { rows, total } = await listFolder(ctx, { userId, page, limit, ownFolderId, ...(filter ? { filter } : {}) });
    return { rows: rows.map(presentRow), total };
  });
  route(router, listSentDeliveries, async (ctx, { query }) => {
    const found = await sumUpDeliveries(ctx, signedIn(ctx).actor.userId, query.ids);
    return found.map(presentSentDelivery);
  });
  route(router, searchMail, async (ctx, { query }) => {
    const { q: text, page, limit, time_zone: timeZone, utc_offset_minutes: utcOffsetMinutes } = query;
    const { userId } = signedIn(ctx).actor;
    const request = { userId, text, timeZone, utcOffsetMinutes, page, limit };
    return await presentSearch(ctx, await searchMailbox(ctx, request));
  });
  route(router, contracts.getEmail, async (ctx, { koa, params, query: { replies, brief, as } }) => {
    const { userId } = signedIn(ctx).actor;
    const item = await readEntry(ctx, { userId, entryId: params.id }, replies);
    const asked = { asText: as === 'text', ...(brief && { bytes: 0 }) };
    const reading = { userId, bytes: largestOf([item, ...item.conversation]) };
    const shown = await readMessages(router.app, reading, () => showConversation(ctx, item, asked));
    const messages = [item, ...item.conversation].map(({ message }) => message);
    const trusted = await findTrustedSenders(ctx, userId, messages);
    const failed = await findFailedChecks(ctx, [item, ...item.conversation]);
    const doubts = await findDoubts(ctx, item, failed);
    const warnings = shown[0] ? await findWarnings(ctx, item, shown[0]) : [];
    const invitation = shown[0] ? await presentInvitation(ctx, item, shown[0]) : null;
    await holdAnswerOfCall(router.app, koa, { userId, bytes: bytesOf(shown) });
    return presentEmail(ctx, item, shown, { trusted, failed, doubts, warnings, invitation });
  });
  route(router, folders.getFolderTotals, async (ctx) => {
    const { userId } = signedIn(ctx).actor;
    const [totals, labels, ownFolders, storage] = await Promise.all([
      readTotals(ctx, userId),
      listOwnLabels(signedIn(ctx)),
      listFoldersOf(signedIn(ctx)),
      readMailboxUse(ctx, userId),
    ]);
    return { ...totals, labels, own_folders: ownFolders, storage };
  });
}

function bindStatus(router: ApiRouter): void {
  route(
    router,
    folders.changeStatus,
    async (ctx, { body }) => {
      const change = {
        userId: signedIn(ctx).actor.userId,
        entryIds: body.email_id,
        flags: flagsIn(body),
        from: body.from,
      };
      if (!body.whole_threads) return await changeStatus(ctx, change);
      const { touched, isLeft } = await changeThreadStatus(ctx, change);
      return { changed: touched.length, touched, is_left: isLeft };
    },
    { message: 'Status changed' },
  );
  for (const [call, folder, message] of [
    [folders.emptyTrash, 'trash', 'Trash emptied'],
    [folders.emptyJunk, 'junk', 'Junk emptied'],
  ] as const) {
    route(
      router,
      call,
      async (ctx, { body }) => {
        const own = { userId: signedIn(ctx).actor.userId, folder, ...body };
        const { removed, isLeft, until } = await emptyTrashOrJunk(ctx, own);
        return { removed, is_left: isLeft, until };
      },
      { message },
    );
  }
}

function bindInvitations(router: ApiRouter): void {
  route(
    router,
    invitations.answerInvitation,
    (ctx, { params, body }) => answerInvitation(signedIn(ctx), params.id, body.answer),
    { message: 'Answer sent', refused: noteRefused },
  );
}

function bindLists(router: ApiRouter): void {
  route(router, contracts.unsubscribe, (ctx, { params }) => unsubscribe(signedIn(ctx), params.id), {
    message: 'The sender was asked',
  });
}

function bindSending(router: ApiRouter): void {
  const sent = ({ entryId, undoUntil, holdMs, isScheduled }: Sent) => ({
    _id: entryId,
    undo_until: undoUntil.toISOString(),
    undo_ms: holdMs,
    scheduled_for: isScheduled ? undoUntil.toISOString() : null,
  });
  route(
    router,
    contracts.sendEmail,
    async (ctx, { body, files }) => sent(await sendWriting(signedIn(ctx), { writing: body, files })),
    { message: 'Message sent', refused: noteRefused },
  );
  route(
    router,
    contracts.replyOrForward,
    async (ctx, { body, files }) => {
      const { originalEmailId, is_reply, with_pictures: withPictures = false, ...writing } = body;
      const original = { entryId: originalEmailId, isReply: is_reply, withPictures };
      return sent(await sendWriting(signedIn(ctx), { writing, files, original }));
    },
    { message: 'Message sent', refused: noteRefused },
  );
  route(router, contracts.findSent, async (ctx, { params }) =>
    sent(await findSent(ctx, signedIn(ctx).actor.userId, params.key)),
  );
  route(
    router,
    contracts.undoSend,
    async (ctx, { params }) => {
      const draftId = await undoSend(ctx, { userId: signedIn(ctx).actor.userId, entryId: params.id });
      return { draft_id: draftId };
    },
    { message: 'Sending undone' },
  );
}

function bindImageSenders(router: ApiRouter): void {
  route(router, imageSenders.listImageSenders, (ctx) => listImageSenders(signedIn(ctx)));
  route(router, imageSenders.addImageSender, (ctx, { body }) => addImageSender(signedIn(ctx), body.email_id), {
    message: 'Pictures of this sender are always shown',
  });
  route(router, imageSenders.removeImageSender, (ctx, { params }) => removeImageSender(signedIn(ctx), params.id), {
    message: 'Pictures of this sender are asked about again',
  });
}

function bindDrafts(router: ApiRouter): void {
  route(router, drafts.listDrafts, async (ctx, { query }) => {
    const { rows, total } = await listDrafts(ctx, { userId: signedIn(ctx).actor.userId, ...query });
    return { rows: rows.map(presentDraftRow), total };
  });
  route(router, drafts.getDraft, async (ctx, { params }) =>
    presentDraft(ctx, await findOwnDraft(ctx, signedIn(ctx).actor.userId, params.id)),
  );
  route(
    router,
    drafts.saveDraft,
    async (ctx, { body, files }) => presentDraft(ctx, await saveWriting(signedIn(ctx), { body, files })),
    { message: 'Draft saved' },
  );
  route(
    router,
    drafts.removeDrafts,
    async (ctx, { body }) => ({
      removed: await removeOwnDrafts(ctx, signedIn(ctx).actor.userId, body),
    }),
    { message: 'Drafts deleted' },
  );
}
