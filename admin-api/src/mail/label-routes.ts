import * as contracts from '@selvage/core/contracts/labels';
import { changeLabels, changeThreadLabels, type TouchedByLabel } from '@selvage/core/mailstore/change-labels';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { addLabel, listOwnLabels, removeOwnLabel, changeOwnLabel } from './labels.ts';

/** Binds the calls about the caller's labels (D60). */
export function bindLabels(router: ApiRouter): void {
  route(router, contracts.listLabels, (ctx) => listOwnLabels(signedIn(ctx)));
  route(router, contracts.createLabel, (ctx, { body }) => addLabel(signedIn(ctx), body), { message: 'Label created' });
  route(router, contracts.updateLabel, (ctx, { params, body }) => changeOwnLabel(signedIn(ctx), params.id, body), {
    message: 'Label saved',
  });
  route(router, contracts.removeLabel, (ctx, { params }) => removeOwnLabel(signedIn(ctx), params.id), {
    message: 'Label deleted',
  });
  route(
    router,
    contracts.changeLabels,
    async (ctx, { body }) => {
      const { email_id: entryIds, add, remove, whole_threads: isWhole } = body;
      const change = { userId: signedIn(ctx).actor.userId, entryIds, add, remove };
      if (!isWhole) return presentTouched(await changeLabels(ctx, change), false);
      const { touched, isLeft } = await changeThreadLabels(ctx, change);
      return presentTouched(touched, isLeft);
    },
    { message: 'Labels changed' },
  );
}

function presentTouched(touched: TouchedByLabel, isLeft: boolean) {
  return {
    changed: new Set([...touched.values()].flat()).size,
    touched: [...touched].map(([labelId, entryIds]) => ({ label_id: labelId, email_ids: entryIds })),
    is_left: isLeft,
  };
}
