import { listCatchAlls } from '@selvage/core/contracts/catch-all';
import { listGroups } from '@selvage/core/contracts/groups';
import { PageLinks } from '../../components/page/PageLinks.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { catchAllWords } from '../../words/catch-all.ts';
import { pageWords } from '../../words/pages.ts';

/** Links between groups and catch-alls, for a person who may see both. */
export function AddressLinks() {
  const t = useWords(catchAllWords);
  const titles = useWords(pageWords);
  const user = useCurrentUser();
  if (!can(user, listGroups) || !can(user, listCatchAlls)) return null;
  return (
    <PageLinks
      label={t.links}
      links={[
        { to: '/dashboard/groups', label: titles.groups },
        { to: '/dashboard/groups/catch_all', label: titles.catchAll },
      ]}
    />
  );
}
