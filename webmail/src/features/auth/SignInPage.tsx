import {
  Button,
  Card,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Spinner,
  Text,
  tokens,
} from '@fluentui/react-components';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { Logo } from '../../components/Logo.tsx';
import { sessionNotice } from '../../lib/session.ts';
import { CaptchaField, fieldProblem } from './CaptchaField.tsx';
import { captchaQuery } from './queries.ts';
import { SessionLimitDialog } from './SessionLimitDialog.tsx';
import { useSignIn } from './use-sign-in.ts';
import { type SignInForm, type SignInProblems, validateSignIn } from './validate.ts';

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
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
  head: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  title: { margin: 0, fontSize: tokens.fontSizeBase500, lineHeight: tokens.lineHeightBase500 },
  quiet: { color: tokens.colorNeutralForeground2 },
});

const empty: SignInForm = { email: '', password: '', captcha: '' };

export function SignInPage() {
  const styles = useStyles();
  const { data: captcha } = useQuery(captchaQuery);
  const { isBusy, problem, waiting, attempt, endAndRetry, cancel, retry } = useSignIn();
  const [form, setForm] = useState(empty);
  const [problems, setProblems] = useState<SignInProblems>({});
  const formRef = useRef<HTMLFormElement>(null);
  const [notice] = useState(sessionNotice);

  useEffect(() => {
    document.title = 'Sign in · Selvage';
  }, []);

  // the letters belong to one picture: a new one makes them worthless
  useEffect(() => setForm((old) => ({ ...old, captcha: '' })), [captcha?.captcha_token]);

  const set = (name: keyof SignInForm) => (value: string) => {
    setForm((old) => ({ ...old, [name]: value }));
    setProblems((old) => ({ ...old, [name]: undefined }));
  };

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    const found = validateSignIn(form);
    setProblems(found);
    const [first] = Object.keys(found);
    if (first) {
      formRef.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    void attempt(form, { captcha_text: form.captcha.trim(), captcha_token: captcha?.captcha_token ?? '' });
  };

  return (
    <main className={styles.page}>
      <Card className={styles.card}>
        <form ref={formRef} className={styles.form} onSubmit={handleSubmit} noValidate>
          <div className={styles.head}>
            <Logo />
            <h1 className={styles.title}>Sign in</h1>
            <Text className={styles.quiet}>Mail and administration of your company</Text>
          </div>
          <Problem text={waiting ? null : (problem ?? notice)} isError={problem !== null} />
          <Field label="Email" required {...fieldProblem(problems.email)}>
            <Input
              name="email"
              type="email"
              autoComplete="username"
              value={form.email}
              onChange={(_event, data) => set('email')(data.value)}
            />
          </Field>
          <PasswordField value={form.password} problem={problems.password} onChange={set('password')} />
          <CaptchaField value={form.captcha} problem={problems.captcha} onChange={set('captcha')} />
          <Button
            type="submit"
            appearance="primary"
            size="large"
            disabledFocusable={isBusy}
            icon={isBusy ? <Spinner size="tiny" /> : undefined}
          >
            {isBusy ? 'Logging In' : 'Log in'}
          </Button>
        </form>
      </Card>
      {waiting && (
        <SessionLimitDialog
          sessions={waiting.sessions}
          isBusy={isBusy}
          problem={problem}
          onEnd={(ids) => void endAndRetry(ids)}
          onCancel={() => void cancel()}
          onRetry={() => void retry()}
        />
      )}
    </main>
  );
}

function Problem({ text, isError }: { text: string | null; isError: boolean }) {
  if (!text) return null;
  return (
    <MessageBar intent={isError ? 'error' : 'warning'} layout="multiline" role="alert">
      <MessageBarBody>{text}</MessageBarBody>
    </MessageBar>
  );
}

interface PasswordProps {
  value: string;
  problem: string | undefined;
  onChange: (text: string) => void;
}

function PasswordField({ value, problem, onChange }: PasswordProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label="Password" required {...fieldProblem(problem)}>
      <Input
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        value={value}
        onChange={(_event, data) => onChange(data.value)}
        contentAfter={
          <IconButton
            label={isShown ? 'Hide password' : 'Show password'}
            size="small"
            icon={isShown ? <EyeOffRegular /> : <EyeRegular />}
            onClick={() => setShown(!isShown)}
          />
        }
      />
    </Field>
  );
}
