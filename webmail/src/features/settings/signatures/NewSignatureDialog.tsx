import { signatureForm } from '@selvage/core/contracts/signatures';
import { Field, Input } from '@fluentui/react-components';
import { useState } from 'react';
import { fieldProblem } from '../../../components/form/field-problem.ts';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { problemsOf } from '../../../lib/problems.ts';
import { isNameTaken, NAME_TAKEN, type SignatureEntry } from './entries.ts';

interface Props {
  entries: SignatureEntry[];
  onCreate: (name: string) => void;
  onClose: () => void;
}

/** The name of a new signature; what it says is written afterwards. */
export function NewSignatureDialog({ entries, onCreate, onClose }: Props) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const handleSubmit = (): void => {
    const found = nameProblem(name, entries);
    setProblem(found);
    if (found) return;
    onClose();
    onCreate(name.trim());
  };
  return (
    <FormDialog
      title="New signature"
      submitLabel="Create"
      cancelLabel="Cancel"
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Field label="Name" required hint="Only you see it, when you choose a signature." {...fieldProblem(problem)}>
        <Input
          name="signature_name"
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(_event, { value }) => {
            setName(value);
            setProblem(undefined);
          }}
        />
      </Field>
    </FormDialog>
  );
}

/** What is wrong with a name, beside those of the other signatures. */
export function nameProblem(name: string, others: SignatureEntry[]): string | undefined {
  const problems = problemsOf(signatureForm.pick({ signature_name: true }), { signature_name: name });
  return problems['signature_name'] ?? (isNameTaken(name, others) ? NAME_TAKEN : undefined);
}
