import { type CompanyDto, eraseCompany, removeCompany, restoreCompany } from '@selvage/core/contracts/companies';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useWords } from '../../lib/i18n.ts';
import { actAtOnce, actOnRecord } from '../../lib/record-calls.ts';
import { companiesKey } from '../../lib/record-keys.ts';
import { companyWords } from '../../words/companies.ts';
import { recordWords } from '../../words/records.ts';

interface Props {
  company: CompanyDto;
  onClose: () => void;
  /** After it is done; the record's own page leads away then. */
  onDone?: () => void;
}

/** Asks before a company is deleted, which can be taken back. */
export function DeleteCompanyDialog({ company, onClose, onDone }: Props) {
  const t = useWords(companyWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(companiesKey);
  const remove = () =>
    actOnRecord({ call: removeCompany, id: company._id, said: t.deleted, failed: r.deleteFailed, tellChanged, onDone });
  const text = t.deleteText({ name: company.name });
  return <DeleteDialog title={t.deleteTitle} text={text} word="DELETE" onDelete={remove} onClose={onClose} />;
}

/** Asks before a company is deleted for good. */
export function EraseCompanyDialog({ company, onClose, onDone }: Props) {
  const t = useWords(companyWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(companiesKey);
  const erase = () =>
    actOnRecord({ call: eraseCompany, id: company._id, said: t.erased, failed: r.eraseFailed, tellChanged, onDone });
  const text = t.eraseText({ name: company.name });
  return <DeleteDialog title={t.eraseTitle} text={text} word="DELETE" onDelete={erase} onClose={onClose} />;
}

/** Restores a company at once: it can be deleted again. */
export function useRestoreCompany(): (company: CompanyDto) => void {
  const t = useWords(companyWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(companiesKey);
  return ({ _id: id }) =>
    actAtOnce({ call: restoreCompany, id, said: t.restored, failed: r.restoreFailed, tellChanged });
}
