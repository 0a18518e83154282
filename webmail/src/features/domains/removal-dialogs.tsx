import { type DomainDto, eraseDomain, removeDomain, restoreDomain } from '@selvage/core/contracts/domains';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { actAtOnce, actOnRecord } from '../../lib/record-calls.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { domainWords } from '../../words/domains.ts';

interface Props {
  domain: DomainDto;
  onClose: () => void;
}

/** Asks before a domain is deleted, which can be taken back. */
export function DeleteDomainDialog({ domain, onClose }: Props) {
  const t = useWords(domainWords);
  const tellChanged = useChanged(domainsKey);
  const remove = async (): Promise<void> => {
    // Without the id of a record the call is about the domain itself
    await api(removeDomain, { params: { id: domain._id }, query: {}, body: {} });
    await tellChanged(t.deleted);
  };
  const text = t.deleteText({ name: shownAddress(domain.domain_name) });
  return <DeleteDialog title={t.deleteTitle} text={text} word="DELETE" onDelete={remove} onClose={onClose} />;
}

/** Asks before a domain is deleted for good. */
export function EraseDomainDialog({ domain, onClose, onDone }: Props & { onDone?: (() => void) | undefined }) {
  const t = useWords(domainWords);
  const tellChanged = useChanged(domainsKey);
  const erase = () => actOnRecord({ call: eraseDomain, id: domain._id, said: t.erased, tellChanged, onDone });
  const text = t.eraseText({ name: shownAddress(domain.domain_name) });
  return <DeleteDialog title={t.eraseTitle} text={text} word="DELETE" onDelete={erase} onClose={onClose} />;
}

/** Restores a domain at once: it can be deleted again. */
export function useRestoreDomain(): (domain: DomainDto) => void {
  const t = useWords(domainWords);
  const tellChanged = useChanged(domainsKey);
  return ({ _id: id }) => actAtOnce({ call: restoreDomain, id, said: t.restored, tellChanged });
}
