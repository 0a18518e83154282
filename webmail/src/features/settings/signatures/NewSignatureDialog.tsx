import { signatureForm } from '@selvage/core/contracts/signatures';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { TextField } from '../../../components/form/fields.tsx';
import { useForm } from '../../../hooks/use-form.ts';
import { useWords } from '../../../lib/i18n.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { checkFreeName, type SignatureEntry } from './entries.ts';

interface Props {
  entries: SignatureEntry[];
  onCreate: (name: string) => void;
  onClose: () => void;
}

/** The name of a new signature; what it says is written afterwards. */
export function NewSignatureDialog({ entries, onCreate, onClose }: Props) {
  const t = useWords(signatureWords);
  const form = useForm({
    start: { signature_name: '' },
    schema: signatureForm.pick({ signature_name: true }),
    check: ({ signature_name: name }) => checkFreeName(name, entries),
    // It is a draft of this tab until it is saved with its text
    submit: ({ signature_name: name }) => Promise.resolve(name.trim()),
    onDone: (name) => {
      onClose();
      onCreate(name);
    },
  });
  return (
    <FormDialog form={form} title={t.add} size="small" submitLabel={t.create} busyLabel={t.creating} onClose={onClose}>
      <TextField form={form} name="signature_name" label={t.name} hint={t.nameHint} maxLength={100} isRequired />
    </FormDialog>
  );
}
