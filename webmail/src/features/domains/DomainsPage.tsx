import { createDomain, type DomainDto, listDomains } from '@selvage/core/contracts/domains';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { CompanyName } from '../../components/CompanyName.tsx';
import type { Column, RowAction } from '../../components/list/columns.ts';
import { useViewAction } from '../../components/list/use-view-action.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { recordActionsOf, stateFilter } from '../../components/list/record-state.tsx';
import { can } from '../../lib/can.ts';
import { companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { domainWords } from '../../words/domains.ts';
import { recordWords } from '../../words/records.ts';
import { DomainLinks } from './DomainLinks.tsx';
import { DomainState, domainStateInWords, ExpirationDay } from './DomainState.tsx';
import { EditDomainDialog } from './EditDomainDialog.tsx';
import { NewDomainDialog } from './NewDomainDialog.tsx';
import { DeleteDomainDialog, EraseDomainDialog, useRestoreDomain } from './removal-dialogs.tsx';

const nameOf = ({ domain_name: name }: DomainDto): string => shownAddress(name);
const pathOf = ({ _id }: Pick<DomainDto, '_id'>): string => `/dashboard/domain/${_id}`;

function columns(): Column<DomainDto>[] {
  const t = wordsOf(domainWords);
  const companyOf = ({ company_id: company }: DomainDto) => <CompanyName company={company} />;
  return [
    { id: 'domain_name', title: t.domain, cell: nameOf, text: nameOf },
    { id: 'company', title: t.companyName, cell: companyOf, text: ({ company_id }) => company_id.name, width: '24%' },
    {
      id: 'status',
      title: wordsOf(recordWords).status,
      cell: (domain) => <DomainState domain={domain} />,
      text: domainStateInWords,
      width: '200px',
    },
    {
      id: 'expiration_date',
      title: t.expiration,
      cell: ({ expiration_date: day }) => <ExpirationDay day={day} />,
      text: ({ expiration_date: day }) => day ?? t.unknown,
      width: '220px',
    },
  ];
}

type Open = { kind: 'new' } | { kind: 'edit' | 'delete' | 'erase'; domain: DomainDto } | null;

/** The domains: found, added, changed, deleted and restored. */
export default function DomainsPage() {
  const t = useWords(domainWords);
  const caller = useCurrentUser();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const actionsOf = useRowActions(setOpen);
  const close = (): void => setOpen(null);
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listDomains}
        queryKey={[...domainsKey, 'list']}
        header={<DomainLinks />}
        searchLabel={t.search}
        filters={[...companyFilters(caller, t.company), stateFilter()]}
        isNumbered
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={nameOf}
        linkOf={pathOf}
        actionsOf={actionsOf}
        add={{ call: createDomain, label: t.addButton, run: () => setOpen({ kind: 'new' }) }}
        exportName="domains"
        empty={{ title: t.none, hint: t.hint }}
      />
      {open?.kind === 'new' && (
        <NewDomainDialog
          onClose={close}
          onAdded={(domain) => {
            // Its page says how to verify it
            if (!domain.verified) void navigate(pathOf(domain));
          }}
        />
      )}
      {open?.kind === 'edit' && <EditDomainDialog domain={open.domain} onClose={close} />}
      {open?.kind === 'delete' && <DeleteDomainDialog domain={open.domain} onClose={close} />}
      {open?.kind === 'erase' && <EraseDomainDialog domain={open.domain} onClose={close} />}
    </>
  );
}

/** The menu of a row: what the caller may do with the domain. */
function useRowActions(setOpen: (open: Open) => void): (domain: DomainDto) => RowAction[] {
  const t = useWords(domainWords);
  const viewOf = useViewAction();
  const mayCreate = can(useCurrentUser(), createDomain);
  const navigate = useNavigate();
  const place = useLocation();
  const restore = useRestoreDomain();
  const openGuide = ({ _id }: DomainDto): void =>
    void navigate(`/dashboard/domain/setup_guide/${_id}`, { state: fromHere(place) });
  return (domain) => {
    const view = viewOf(pathOf(domain));
    const way = domain.deletedAt === null ? { ...view, label: t.editAndView } : view;
    const usual = {
      edit: () => setOpen({ kind: 'edit', domain }),
      delete: () => setOpen({ kind: 'delete', domain }),
      erase: () => setOpen({ kind: 'erase', domain }),
      restore,
    };
    // This entry is for people who may create domains; the row itself leads there for everyone
    const guide = { label: t.setupGuide, run: () => openGuide(domain) };
    return recordActionsOf(domain, usual, [mayCreate && way, mayCreate && domain.deletedAt === null && guide]);
  };
}
