import { readFile } from 'node:fs/promises';
import { saveForm } from '@selvage/core/access/save-form';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { maxAvatarBytes } from '@selvage/core/contracts/profile';
import type { updateUser } from '@selvage/core/contracts/users';
import { avatarPath } from '@selvage/core/models/avatar-path';
import { ensureAvatar, removeAvatarIfUnused } from '@selvage/core/directory/avatars';
import { lockUser } from '@selvage/core/directory/lock-user';
import { AppError, invalid } from '@selvage/core/errors';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { User } from '@selvage/core/models/user';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { loadCurrentUser } from '../auth/presenter.ts';
import { countOwnChange } from '../account/count-own-change.ts';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { decodePicture } from './decode-picture.ts';
import { checkDomain, checkNames, definedOf, profileFields, profileValues } from './profile-values.ts';

type Body = InferBody<typeof updateUser>;
type Changes = Partial<
  Pick<User, 'fname' | 'lname' | 'phoneNumber' | 'country' | 'designation' | 'bio' | 'requiredData'> & {
    avatar: string | null;
  }
>;

/** The form's fields, by the attribute that each fills. */
const fields = { ...profileFields, avatar: 'avatar', requiredData: 'required_data' } as const;

const pictures: Rule = { name: 'avatar', limit: 30, windowSeconds: 3600 };

/**
 * Changes the caller's profile. Fields that were not sent stay as they are.
 * @throws 409 when it was changed meanwhile, 413, 422
 */
export async function changeOwnProfile(ctx: SignedIn, input: { body: Body; files: UploadedFile[] }): Promise<void> {
  checkEmail(ctx, input.body.email);
  await countOwnChange(ctx);
  const picture = await readPicture(ctx, input.files);
  const blob = picture && (await ctx.app.blobs.put(picture));
  const changes = changesOf(input.body, blob && avatarPath(blob.key));
  // The picture to remove at the end: the new one until the change is saved, then the person's
  // former one
  let unused: string | null = changes.avatar ?? null;
  try {
    unused = await inTransaction(ctx, (tx) => writeProfile(tx, ctx, { changes, picture, body: input.body }));
  } finally {
    await removePicture(ctx, unused);
  }
}

/** @returns the person's former picture, unless they still have it */
async function writeProfile(
  tx: TxCtx,
  ctx: SignedIn,
  { changes, picture, body }: { changes: Changes; picture: Buffer | null; body: Body },
): Promise<string | null> {
  const user = await lockUser(tx, ctx.actor.userId);
  checkNames(user, changes);
  checkDomain(user, body.domain_id);
  checkRecoveryEmail(user, body.recovery_email);
  const before = user.avatar;
  await saveForm(tx, user, {
    changes,
    fields,
    startedFrom: body.version,
    entity: 'user',
    action: 'profile:updated',
    present: () => loadCurrentUser({ ...ctx, tx: tx.tx }),
  });
  if (picture && changes.avatar) await ensureAvatar(tx, changes.avatar, picture);
  return user.avatar === before ? null : before;
}

/**
 * Refuses another address. The form also sends the address, but it names the mailbox and can't be
 * changed.
 */
function checkEmail(ctx: SignedIn, email: string | undefined): void {
  if (email === undefined || normaliseAddress(email) === ctx.actor.email) return;
  const text = email === '' ? 'Email is required' : 'Your email address is your mailbox and cannot be changed here';
  throw invalid({ email: text }, text);
}

/**
 * Refuses another recovery address: that change asks for the password, and has a call of its own.
 * The form may also send the present one.
 */
function checkRecoveryEmail({ recoveryEmail }: User, given: string | undefined): void {
  if (given === undefined || (given === '' ? null : normaliseAddress(given)) === recoveryEmail) return;
  const text = 'The recovery email is changed in the account settings';
  throw invalid({ recovery_email: text }, text);
}

async function readPicture(ctx: SignedIn, files: UploadedFile[]): Promise<Buffer | null> {
  const [file, ...more] = files;
  if (!file) return null;
  if (file.field !== 'avatar' || more.length > 0) {
    const text = 'Send one picture, as the file "avatar".';
    throw invalid({ avatar: text }, text);
  }
  if (file.size > maxAvatarBytes) throw pictureTooLarge(file.name);
  await countAttempt(ctx.app, pictures, ctx.actor.userId);
  return await decodePicture(await readFile(file.path), ctx.actor.companyId ?? ctx.actor.userId);
}

function pictureTooLarge(name: string): AppError {
  const publicText = `"${name}" is too large: a profile picture may be at most ${maxAvatarBytes / 1_048_576} MB.`;
  return new AppError({ status: 413, code: 'avatar_too_large', publicText, fields: { avatar: publicText } });
}

function changesOf(body: Body, newAvatar: string | null): Changes {
  const avatar = newAvatar ?? (body.avatar === '' ? null : undefined);
  return definedOf({ ...profileValues(body), avatar, requiredData: body.required_data });
}

/** Removes a picture that no person has after the change, or after its failure. */
async function removePicture(ctx: SignedIn, path: string | null): Promise<void> {
  try {
    await removeAvatarIfUnused(ctx, path);
  } catch (error) {
    // The change itself is saved. Only a picture of a few kilobytes is left over
    log.warn('a picture that no person has could not be removed', { error });
  }
}
