import * as contracts from '@selvage/core/contracts/signatures';
import { setUndoLength } from '@selvage/core/contracts/mail-settings';
import { User } from '@selvage/core/models/user';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import {
  addSignature,
  changeSignature,
  choosePreferences,
  listOwnSignatures,
  removeOwnSignature,
} from './own-signatures.ts';

/** Binds the calls about sending preferences: signatures, and the time to undo. */
export function bindSignatures(router: ApiRouter): void {
  route(router, contracts.listSignatures, (ctx) => listOwnSignatures(signedIn(ctx)));
  route(router, contracts.createSignature, (ctx, { body }) => addSignature(signedIn(ctx), body), {
    message: 'Signature created successfully',
  });
  route(
    router,
    setUndoLength,
    async (ctx, { body }) => {
      await User.update({ undoMs: body.undo_ms }, { where: { id: signedIn(ctx).actor.userId } });
      return body;
    },
    { message: 'Time to undo saved' },
  );
  route(router, contracts.setSignaturePreferences, (ctx, { body }) => choosePreferences(signedIn(ctx), body), {
    message: 'Signature preferences saved',
  });
  route(router, contracts.updateSignature, (ctx, { params, body }) => changeSignature(signedIn(ctx), params.id, body), {
    message: 'Signature updated successfully',
  });
  route(router, contracts.removeSignature, (ctx, { params }) => removeOwnSignature(signedIn(ctx), params.id), {
    message: 'Signature deleted successfully',
  });
}
