import { getActiveSessions } from '@selvage/core/contracts/auth';
import { listImageSenders } from '@selvage/core/contracts/image-senders';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { currentUserQuery } from '../../lib/current-user.ts';

export const accountKeys = {
  sessions: ['account', 'sessions'] as const,
  activity: ['account', 'activity'] as const,
  mailAccess: ['account', 'mail-access'] as const,
  imageSenders: ['account', 'image-senders'] as const,
};

/** The sessions, with their devices in words. */
export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: async ({ signal }) => {
    const [sessions, { deviceInWords }] = await Promise.all([
      api(getActiveSessions, { signal }),
      import('../../lib/device.ts'),
    ]);
    return sessions.map((session) => ({ ...session, device: deviceInWords(session.user_agent) }));
  },
});

export const imageSendersQuery = queryOptions({
  queryKey: accountKeys.imageSenders,
  queryFn: ({ signal }) => api(listImageSenders, { signal }),
});

/**
 * Fetches the person and all lists of their account again: each change to an account shows in
 * several lists.
 */
export function useRefreshAccount(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
      client.invalidateQueries({ queryKey: ['account'] }),
    ]);
  };
}
