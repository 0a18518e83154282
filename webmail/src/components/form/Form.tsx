import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { FormFrame } from '../../hooks/use-form.ts';
import { widths } from '../../theme/own-tokens.ts';
import { FormErrors } from './FormErrors.tsx';

const useStyles = makeStyles({
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, maxWidth: widths.form },
});

interface Props {
  form: FormFrame;
  /** Its name for screen readers. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** A form on a page: what went wrong with all of it stands above its fields. */
export function Form({ form, label, className, children }: Props) {
  const styles = useStyles();
  return (
    <form
      ref={form.formRef}
      className={mergeClasses(styles.form, className)}
      noValidate
      aria-label={label}
      onSubmit={form.handleSubmit}
    >
      <FormErrors form={form} />
      {children}
    </form>
  );
}
