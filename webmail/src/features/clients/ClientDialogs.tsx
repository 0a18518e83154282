import type { ClientDto } from '@selvage/core/contracts/clients';
import type { RowAction } from '../../components/list/columns.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { clientWords } from '../../words/clients.ts';
import { recordWords } from '../../words/records.ts';
import { EditClientDialog } from './EditClientDialog.tsx';
import { NewClientDialog } from './NewClientDialog.tsx';
import { DeleteClientDialog, EraseClientDialog } from './removal-dialogs.tsx';
import { SendCredentialsDialog } from './SendCredentialsDialog.tsx';

/** The dialog that is open. */
export type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'send' | 'delete' | 'erase'; client: ClientDto } | null;

interface Props {
  open: OpenDialog;
  onClose: () => void;
  onErased?: () => void;
}

/** The dialogs about clients; one of them is open, or none. */
export function ClientDialogs({ open, onClose, onErased }: Props) {
  if (!open) return null;
  if (open.kind === 'new') return <NewClientDialog onClose={onClose} />;
  const { kind, client } = open;
  if (kind === 'edit') return <EditClientDialog client={client} onClose={onClose} />;
  if (kind === 'send') return <SendCredentialsDialog client={client} onClose={onClose} />;
  if (kind === 'delete') return <DeleteClientDialog client={client} onClose={onClose} />;
  return <EraseClientDialog client={client} onClose={onClose} {...(onErased ? { onDone: onErased } : {})} />;
}

interface Doing {
  open: (dialog: OpenDialog) => void;
  restore: (client: ClientDto) => void;
  /** Leads to the client's page; left out on that page. */
  view?: RowAction;
}

/** What the caller may do with a client, as entries of a menu or buttons. */
export function clientActions(client: ClientDto, { open, restore, view }: Doing): RowAction[] {
  const t = wordsOf(clientWords);
  const r = wordsOf(recordWords);
  const { abilities } = client;
  const all: (RowAction & { may: boolean })[] = [
    { may: abilities.send_credentials, label: t.sendCredentials, run: () => open({ kind: 'send', client }) },
    ...(view ? [{ ...view, may: true }] : []),
    { may: abilities.edit, label: r.edit, run: () => open({ kind: 'edit', client }) },
    { may: abilities.restore, label: t.restore, run: () => restore(client) },
    { may: abilities.delete, label: r.delete, run: () => open({ kind: 'delete', client }), isDangerous: true },
    { may: abilities.erase, label: t.erase, run: () => open({ kind: 'erase', client }), isDangerous: true },
  ];
  return all.flatMap(({ may, ...action }) => (may ? [action] : []));
}
