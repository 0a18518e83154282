import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { type CatchAllRowDto, listCatchAlls } from '@selvage/core/contracts/catch-all';
import { listGroups } from '@selvage/core/contracts/groups';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import type { Column } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { can } from '../../lib/can.ts';
import { companyColumns, companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { oneLine } from '../../theme/styles.ts';
import { catchAllWords } from '../../words/catch-all.ts';
import { AddressLinks } from './AddressLinks.tsx';
import { ChangeCatchAllDialog } from './ChangeCatchAllDialog.tsx';
import { catchAllsKey } from './queries.ts';

const useStyles = makeStyles({
  quiet: { color: tokens.colorNeutralForeground2 },
  // Cut off as a whole, and in a card not at all
  target: { display: 'block', ...oneLine, [onNarrow]: { whiteSpace: 'normal' } },
});

const nameOf = ({ domain_name: name }: CatchAllRowDto): string => shownAddress(name);

function columns(user: CurrentUserDto | undefined): Column<CatchAllRowDto>[] {
  const t = wordsOf(catchAllWords);
  const domain: Column<CatchAllRowDto> = {
    id: 'domain_name',
    title: t.domain,
    cell: nameOf,
    width: '30%',
  };
  const goesTo: Column<CatchAllRowDto> = { id: 'target', title: t.goesTo, cell: (row) => <Target row={row} /> };
  return [domain, ...companyColumns<CatchAllRowDto>(user, t.company), goesTo];
}

function Target({ row: { address, target } }: { row: CatchAllRowDto }) {
  const styles = useStyles();
  const t = useWords(catchAllWords);
  if (!address) return <span className={styles.quiet}>{t.refused}</span>;
  const shown = shownAddress(address);
  return <span className={styles.target}>{target ? `${target.name} (${shown})` : shown}</span>;
}

/** Where mail goes for names that the domains do not have. */
export default function CatchAllPage() {
  const t = useWords(catchAllWords);
  const user = useCurrentUser();
  const [changed, setChanged] = useState<CatchAllRowDto | null>(null);
  // Only a person who may see people and groups can choose one
  const maySeeTargets = can(user, listGroups);
  return (
    <>
      <ListScreen
        title={t.title}
        header={<AddressLinks />}
        endpoint={listCatchAlls}
        queryKey={[...catchAllsKey, 'list']}
        isNumbered
        searchLabel={t.search}
        filters={companyFilters(user, t.company)}
        columns={columns(user)}
        keyOf={({ domain_id: id }) => id}
        nameOf={nameOf}
        actionsOf={(row) =>
          row.abilities.edit && maySeeTargets ? [{ label: t.change, run: () => setChanged(row) }] : []
        }
        empty={{ title: t.noDomains, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {changed && <ChangeCatchAllDialog row={changed} onClose={() => setChanged(null)} />}
    </>
  );
}
