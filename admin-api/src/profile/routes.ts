import * as contracts from '@selvage/core/contracts/profile';
import { loadCurrentUser } from '../auth/presenter.ts';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { changeOwnProfile } from './update-profile.ts';

/** Binds the calls about the caller's profile. */
export function bindProfile(router: ApiRouter): void {
  route(
    router,
    contracts.updateProfile,
    async (ctx, { params, body, files }) => {
      await changeOwnProfile(signedIn(ctx), params.id, { body, files });
      return await loadCurrentUser(signedIn(ctx));
    },
    { message: 'Profile updated successfully' },
  );
}
