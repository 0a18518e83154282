import { type CompanyDto, createCompany, listCompanies } from '@selvage/core/contracts/companies';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Column } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { recordActionsOf, RecordStateWord, stateFilter, stateInWords } from '../../components/list/record-state.tsx';
import { useViewAction } from '../../components/list/use-view-action.ts';
import { can, isOfProvider } from '../../lib/can.ts';
import { companiesKey } from '../../lib/record-keys.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { companyWords } from '../../words/companies.ts';
import { recordWords } from '../../words/records.ts';
import { CompanyDialog } from './CompanyDialog.tsx';
import { newCompanyPath } from './pages.ts';
import { DeleteCompanyDialog, EraseCompanyDialog, useRestoreCompany } from './removal-dialogs.tsx';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  line: { overflow: 'hidden', textOverflow: 'ellipsis' },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

function NameCell({ company: { name, phone } }: { company: CompanyDto }) {
  const styles = useStyles();
  return (
    <span className={styles.stack}>
      <span className={styles.line} dir="auto">
        {name}
      </span>
      {phone && <span className={styles.quiet}>{phone}</span>}
    </span>
  );
}

function columns(): Column<CompanyDto>[] {
  const t = wordsOf(companyWords);
  return [
    { id: 'name', title: t.name, cell: (company) => <NameCell company={company} />, text: ({ name }) => name },
    { id: 'email', title: t.email, cell: ({ email }) => shownAddress(email), text: ({ email }) => email, width: '28%' },
    {
      id: 'industry',
      title: t.industry,
      cell: ({ industry }) => industry ?? wordsOf(recordWords).nothing,
      text: ({ industry }) => industry ?? '',
      width: '18%',
    },
    {
      id: 'status',
      title: wordsOf(recordWords).status,
      cell: (company) => <RecordStateWord record={company} />,
      text: stateInWords,
      width: '110px',
    },
  ];
}

type Open = { kind: 'form'; company: CompanyDto | null } | { kind: 'delete' | 'erase'; company: CompanyDto } | null;

const pathOf = ({ _id }: CompanyDto): string => `/dashboard/company/${_id}`;

/** The companies: found, added, changed, deleted and restored. */
export default function CompaniesPage() {
  const t = useWords(companyWords);
  const user = useCurrentUser();
  const navigate = useNavigate();
  const mayAdd = isOfProvider(user) && can(user, createCompany);
  const isAtForm = useLocation().pathname === newCompanyPath;
  const [open, setOpen] = useState<Open>(isAtForm && mayAdd ? { kind: 'form', company: null } : null);
  const restore = useRestoreCompany();
  const viewOf = useViewAction();
  const close = (): void => {
    setOpen(null);
    if (isAtForm) void navigate('/dashboard/company', { replace: true });
  };
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listCompanies}
        queryKey={[...companiesKey, 'list']}
        searchLabel={t.search}
        filters={[stateFilter()]}
        isNumbered
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={({ name }) => name}
        linkOf={pathOf}
        actionsOf={(company) => [
          viewOf(pathOf(company)),
          ...recordActionsOf(company, {
            edit: (one) => setOpen({ kind: 'form', company: one }),
            delete: (one) => setOpen({ kind: 'delete', company: one }),
            erase: (one) => setOpen({ kind: 'erase', company: one }),
            restore,
          }),
        ]}
        add={
          mayAdd
            ? { call: createCompany, label: t.addButton, run: () => setOpen({ kind: 'form', company: null }) }
            : undefined
        }
        exportName="companies"
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {open?.kind === 'form' && <CompanyDialog company={open.company} onClose={close} />}
      {open?.kind === 'delete' && <DeleteCompanyDialog company={open.company} onClose={close} />}
      {open?.kind === 'erase' && <EraseCompanyDialog company={open.company} onClose={close} />}
    </>
  );
}
