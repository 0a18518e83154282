import { Button } from '@fluentui/react-components';
import { useEffect, useRef } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { DiscardQuestion } from '../../components/dialog/DiscardQuestion.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { InfoDialog } from '../../components/dialog/InfoDialog.tsx';
import { SelectField, SwitchField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { TextAreaField } from '../../components/form/TextAreaField.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { ApiError } from '../../lib/api-error.ts';
import { awaitThere } from '../settling.ts';

const nothing = (): void => undefined;
const forEver = () => new Promise<void>(nothing);
const refuse = () => Promise.reject(new ApiError('The domain still receives mail for 14 people.', { status: 409 }));

/** Presses a button of the dialog, to show the next state. */
function usePress(label: string | undefined): void {
  useEffect(() => {
    if (!label) return;
    const find = (): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>('[role$="dialog"] button')].find((one) => one.textContent === label);
    return awaitThere(find, (button) => button.click());
  }, [label]);
}

const question = {
  title: 'Delete this domain?',
  text: 'mill.test and its DNS records will be gone. Mail for it is refused from then on.',
  confirmLabel: 'Delete',
  busyLabel: 'Deleting',
  cancelLabel: 'Cancel',
  onConfirm: nothing,
  onClose: nothing,
};

export const Confirm = () => <ConfirmDialog {...question} />;
export const ConfirmDanger = () => <ConfirmDialog {...question} isDangerous />;
export const ConfirmWord = () => <ConfirmDialog {...question} isDangerous word="DELETE" />;

export function ConfirmBusy() {
  usePress('Delete');
  return <ConfirmDialog {...question} isDangerous onConfirm={forEver} />;
}

export function ConfirmFailed() {
  usePress('Delete');
  return <ConfirmDialog {...question} isDangerous onConfirm={refuse} />;
}

export function Info() {
  return (
    <InfoDialog title="Two-factor authentication is on" doneLabel="Done" isShownOnce onClose={nothing}>
      Keep these recovery codes where you find them without your phone: each lets you in once in place of a code.
    </InfoDialog>
  );
}

const start = { name: 'Ambika Mills', email: 'office', industry: '', isActive: true, about: '' };
const industries = [{ value: 'textiles', label: 'Textiles' }];

interface Scene {
  press?: string;
  submit?: () => Promise<unknown>;
}

function CompanyDialog({ press, submit = () => Promise.resolve() }: Scene) {
  const form = useForm({ start, submit });
  usePress(press);
  return (
    <FormDialog form={form} title="Add New Company" submitLabel="Create" busyLabel="Creating" onClose={nothing}>
      <FieldPair>
        <TextField form={form} name="name" label="Company Name" isRequired />
        <TextField form={form} name="email" label="Email" isRequired />
      </FieldPair>
      <SelectField form={form} name="industry" label="Industry" choices={industries} placeholder="Choose one" />
      <TextAreaField form={form} name="about" label="About" />
      <SwitchField form={form} name="isActive" label="Active" />
    </FormDialog>
  );
}

export const FormAtRest = () => <CompanyDialog />;
export const FormBusy = () => <CompanyDialog press="Create" submit={forEver} />;
export const FormProblems = () => (
  <CompanyDialog
    press="Create"
    submit={() =>
      Promise.reject(
        new ApiError('', { status: 422, fields: { email: 'Invalid email', industry: 'Industry is required' } }),
      )
    }
  />
);
export const FormFailed = () => <CompanyDialog press="Create" submit={refuse} />;
export const FormConflicted = () => (
  <CompanyDialog
    press="Create"
    submit={() =>
      Promise.reject(
        new ApiError('', {
          status: 409,
          conflict: { by: 'Priya Raman', at: '2026-10-05T09:20:00Z', fields: ['name', 'email'], current: null },
        }),
      )
    }
  />
);

export function Long() {
  const surface = useRef<HTMLDivElement>(null);
  const lines = Array.from({ length: 40 }, (_line, index) => `Line ${index + 1} of what is too long for the screen.`);
  return (
    <DialogFrame title="A dialog with much in it" size="large" onClose={nothing} actions={<Button>Close</Button>}>
      <div ref={surface}>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </DialogFrame>
  );
}

export const Discard = () => <DiscardQuestion onDiscard={nothing} onClose={nothing} />;
