import { fullName } from '@selvage/core/contracts/full-name';
import { clientsKey } from '../../lib/record-keys.ts';
import { type ClientDto, createClient, listClients } from '@selvage/core/contracts/clients';
import { useState } from 'react';
import type { Column } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { RecordStateWord, stateFilter, stateInWords } from '../../components/list/record-state.tsx';
import { useViewAction } from '../../components/list/use-view-action.ts';
import { StateWord } from '../../components/StateWord.tsx';
import { CompanyName } from '../../components/CompanyName.tsx';
import { isOfProvider } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { clientWords } from '../../words/clients.ts';
import { recordWords } from '../../words/records.ts';
import { clientActions, ClientDialogs, type OpenDialog } from './ClientDialogs.tsx';
import { useRestoreClient } from './removal-dialogs.tsx';

function ClientState({ client }: { client: ClientDto }) {
  if (client.is_default) return <StateWord kind="quiet">{stateOf(client)}</StateWord>;
  return <RecordStateWord record={client} />;
}

const stateOf = (client: ClientDto): string =>
  client.is_default ? wordsOf(clientWords).default : stateInWords(client);

function columns(): Column<ClientDto>[] {
  const t = wordsOf(clientWords);
  const companyOf = ({ company_id }: ClientDto) => <CompanyName company={company_id} />;
  return [
    { id: 'fname', title: t.name, cell: fullName, text: fullName },
    {
      id: 'personal_email',
      title: t.personalEmail,
      cell: ({ personal_email }) => personal_email,
      text: ({ personal_email }) => personal_email,
      width: '23%',
    },
    {
      id: 'business_email',
      title: t.businessEmail,
      cell: ({ business_email }) => shownAddress(business_email),
      text: ({ business_email }) => business_email,
      width: '23%',
    },
    { id: 'company', title: t.companyName, cell: companyOf, text: ({ company_id }) => company_id.name, width: '18%' },
    {
      id: 'status',
      title: wordsOf(recordWords).status,
      cell: (client) => <ClientState client={client} />,
      text: stateOf,
      width: '110px',
    },
  ];
}

const pathOf = ({ _id }: ClientDto): string => `/dashboard/client/view/${_id}`;

/** The clients: found, added, changed, deleted and restored. */
export default function ClientsPage() {
  const t = useWords(clientWords);
  const user = useCurrentUser();
  const [open, setOpen] = useState<OpenDialog>(null);
  const restore = useRestoreClient();
  const viewOf = useViewAction();
  const add = { call: createClient, label: t.addButton, run: () => setOpen({ kind: 'new' }) };
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listClients}
        queryKey={[...clientsKey, 'list']}
        searchLabel={t.search}
        filters={[stateFilter()]}
        isNumbered
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={fullName}
        linkOf={pathOf}
        actionsOf={(client) => clientActions(client, { open: setOpen, restore, view: viewOf(pathOf(client)) })}
        add={isOfProvider(user) ? add : undefined}
        exportName="clients"
        empty={{ title: t.none, hint: t.hint }}
      />
      <ClientDialogs open={open} onClose={() => setOpen(null)} />
    </>
  );
}
