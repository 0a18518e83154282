import { type CompanyDto, eraseCompany, removeCompany, restoreCompany } from '@selvage/core/contracts/companies';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { companiesKey } from '../../lib/record-keys.ts';
import { useWords } from '../../lib/i18n.ts';
import { companyWords } from '../../words/companies.ts';

interface Props {
  company: CompanyDto;
  onClose: () => void;
  /** After it is done; the record's own page leads away then. */
  onDone?: () => void;
}

/** Asks before a company is deleted, which can be taken back. */
export function DeleteCompanyDialog({ company, onClose, onDone }: Props) {
  const t = useWords(companyWords);
  const tellChanged = useChanged(companiesKey);
  const remove = async (): Promise<void> => {
    await api(removeCompany, { params: { id: company._id } });
    await tellChanged(t.deleted);
    onDone?.();
  };
  const text = t.deleteText({ name: company.name });
  return <DeleteDialog title={t.deleteTitle} text={text} word="DELETE" onDelete={remove} onClose={onClose} />;
}

/** Asks before a company is deleted for good. */
export function EraseCompanyDialog({ company, onClose, onDone }: Props) {
  const t = useWords(companyWords);
  const tellChanged = useChanged(companiesKey);
  const erase = async (): Promise<void> => {
    await api(eraseCompany, { params: { id: company._id } });
    onDone?.();
    await tellChanged(t.erased);
  };
  const text = t.eraseText({ name: company.name });
  return <DeleteDialog title={t.eraseTitle} text={text} word="DELETE" onDelete={erase} onClose={onClose} />;
}

/** Restores a company at once: it can be deleted again. */
export function useRestoreCompany(): (company: CompanyDto) => void {
  const t = useWords(companyWords);
  const tellChanged = useChanged(companiesKey);
  return ({ _id }) => {
    api(restoreCompany, { params: { id: _id } })
      .then(() => tellChanged(t.restored))
      .catch((error: unknown) => notify.error(error));
  };
}
