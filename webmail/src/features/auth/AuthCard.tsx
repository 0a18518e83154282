import { Card, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type FormEvent, type ReactNode, type Ref, useEffect } from 'react';
import { Logo } from '../../components/Logo.tsx';

const useStyles = makeStyles({
  page: {
    minHeight: '100%',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    boxSizing: 'border-box',
    padding: tokens.spacingHorizontalL,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  card: {
    width: '100%',
    maxWidth: '400px',
    padding: tokens.spacingHorizontalXXL,
    boxSizing: 'border-box',
    boxShadow: tokens.shadow16,
  },
  body: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
  head: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  title: { margin: 0, fontSize: tokens.fontSizeBase500, lineHeight: tokens.lineHeightBase500 },
  quiet: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
});

interface Props {
  title: string;
  hint?: ReactNode;
  formRef?: Ref<HTMLFormElement>;
  onSubmit?: () => void;
  /** Dialogs beside the card. */
  beside?: ReactNode;
  children: ReactNode;
}

/** The one card of a screen outside the console: sign-in and what belongs to it. */
export function AuthCard({ title, hint, formRef, onSubmit, beside, children }: Props) {
  const styles = useStyles();
  useEffect(() => {
    document.title = `${title} · Selvage`;
  }, [title]);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  const body = (
    <>
      <div className={styles.head}>
        <Logo />
        <h1 className={styles.title}>{title}</h1>
        {hint && <Text className={styles.quiet}>{hint}</Text>}
      </div>
      {children}
    </>
  );
  return (
    <main className={styles.page}>
      <Card className={styles.card}>
        {onSubmit ? (
          <form ref={formRef} className={styles.body} onSubmit={handleSubmit} noValidate>
            {body}
          </form>
        ) : (
          <div className={styles.body}>{body}</div>
        )}
      </Card>
      {beside}
    </main>
  );
}
