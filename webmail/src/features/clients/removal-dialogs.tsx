import { type ClientDto, eraseClient, removeClient, restoreClient } from '@selvage/core/contracts/clients';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { useWords } from '../../lib/i18n.ts';
import { actAtOnce, actOnRecord } from '../../lib/record-calls.ts';
import { clientWords } from '../../words/clients.ts';
import { recordWords } from '../../words/records.ts';
import { useClientChanged } from './queries.ts';

interface Props {
  client: ClientDto;
  onClose: () => void;
}

const namesOf = ({ fname, company_id }: ClientDto) => ({ name: fname, company: company_id.name });

/** Asks before a client is deleted, which can be taken back. */
export function DeleteClientDialog({ client, onClose }: Props) {
  const t = useWords(clientWords);
  const r = useWords(recordWords);
  const tellChanged = useClientChanged();
  const remove = () =>
    actOnRecord({ call: removeClient, id: client._id, said: t.deleted, failed: r.deleteFailed, tellChanged });
  const text = t.deleteText(namesOf(client));
  return <DeleteDialog title={t.deleteTitle} text={text} word="DELETE" onDelete={remove} onClose={onClose} />;
}

/** Asks before a client is deleted for good. */
export function EraseClientDialog({ client, onClose, onDone }: Props & { onDone?: () => void }) {
  const t = useWords(clientWords);
  const r = useWords(recordWords);
  const tellChanged = useClientChanged();
  const erase = () =>
    actOnRecord({ call: eraseClient, id: client._id, said: t.erased, failed: r.eraseFailed, tellChanged, onDone });
  const text = t.eraseText(namesOf(client));
  return <DeleteDialog title={t.eraseTitle} text={text} word="DELETE" onDelete={erase} onClose={onClose} />;
}

/** Restores a client at once: it can be deleted again. */
export function useRestoreClient(): (client: ClientDto) => void {
  const t = useWords(clientWords);
  const r = useWords(recordWords);
  const tellChanged = useClientChanged();
  return ({ _id: id }) =>
    actAtOnce({ call: restoreClient, id, said: t.restored, failed: r.restoreFailed, tellChanged });
}
