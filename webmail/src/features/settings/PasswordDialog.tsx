import { encodePassword } from '@selvage/core/contracts/encode-password';
import type { ReactNode } from 'react';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { PasswordField } from '../../components/form/PasswordField.tsx';
import { type FieldForm, type Form, type FormOptions, type FormValues, useForm } from '../../hooks/use-form.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import type { Problems } from '../../lib/problems.ts';
import { ownPasswordWords } from '../../words/own-password.ts';

type WithPassword<V> = V & { password: string };

interface Options<V extends FormValues, R>
  extends Pick<FormOptions<WithPassword<V>, R>, 'onDone' | 'onFailed' | 'fieldNames'> {
  /** The fields that stand before the password. */
  start: V;
  check?: (values: V) => Problems;
  /** Sends it, with the encoded password. */
  submit: (password: string, values: V) => Promise<R>;
}

/**
 * The form of a change that a stolen session must not make: its own fields, and the person's
 * password.
 */
export function usePasswordForm<V extends FormValues, R>(options: Options<V, R>): Form<WithPassword<V>> {
  const { start, check, submit, ...rest } = options;
  return useForm<WithPassword<V>, R>({
    ...rest,
    start: { ...start, password: '' },
    check: (values) => ({
      ...check?.(values),
      ...(values.password ? {} : { password: wordsOf(ownPasswordWords).required }),
    }),
    submit: (values) => submit(encodePassword(values.password), values),
  });
}

interface Props<V extends FormValues> {
  form: Form<WithPassword<V>>;
  title: string;
  text?: string;
  submitLabel: string;
  busyLabel: string;
  /** Fields that stand before the password. */
  children?: ReactNode;
  onClose: () => void;
}

/** Asks for the person's password, and what else the change needs. */
export function PasswordDialog<V extends FormValues>({ text, children, ...frame }: Props<V>) {
  const t = useWords(ownPasswordWords);
  // Of all the form holds, this field needs the password alone
  const form: FieldForm<{ password: string }> = frame.form;
  return (
    <FormDialog {...frame} size="small">
      {text && <span>{text}</span>}
      {children}
      <PasswordField form={form} name="password" label={t.label} autoComplete="current-password" />
    </FormDialog>
  );
}
