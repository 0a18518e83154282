import { ownName } from '@selvage/core/contracts/fields';
import { Field, Input } from '@fluentui/react-components';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldProblem } from '../../../components/form/field-problem.ts';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { messageOf } from '../../../lib/api-error.ts';

/** What is wrong with a name that a person gives; `required` is said when there is none. */
export function nameProblem(name: string, required: string): string | undefined {
  return ownName(required).safeParse(name).error?.issues[0]?.message;
}

interface FieldProps {
  label: string;
  hint?: string;
  value: string;
  problem: string | undefined;
  onChange: (name: string) => void;
}

export function NameField({ label, hint, value, problem, onChange }: FieldProps) {
  return (
    <Field label={label} required {...(hint ? { hint } : {})} {...fieldProblem(problem)}>
      <Input
        name="own_name"
        value={value}
        maxLength={100}
        autoComplete="off"
        onChange={(_event, data) => onChange(data.value)}
      />
    </Field>
  );
}

interface Props {
  title: string;
  label: string;
  required: string;
  name: string;
  run: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Gives something another name. */
export function NameDialog({ title, label, required, name, run, onClose }: Props) {
  const [value, setValue] = useState(name);
  const [problem, setProblem] = useState<string | undefined>();
  const { mutate, isPending, error } = useMutation({ mutationFn: run, onSuccess: onClose });
  const handleSubmit = (): void => {
    const found = nameProblem(value, required);
    setProblem(found);
    if (!found) mutate(value.trim());
  };
  return (
    <FormDialog
      title={title}
      submitLabel="Save"
      pendingLabel="Saving"
      isPending={isPending}
      problem={error && messageOf(error)}
      cancelLabel="Cancel"
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <NameField
        label={label}
        value={value}
        problem={problem}
        onChange={(text) => {
          setValue(text);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}
