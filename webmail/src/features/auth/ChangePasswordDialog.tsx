import { changePassword, passwordChange } from '@selvage/core/contracts/account';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components';
import { type FormEvent, useRef, useState } from 'react';
import { PasswordField } from '../../components/form/PasswordField.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { apiMessage } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { focusFirstProblem, type Problems, problemsOf } from '../../lib/problems.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';

const useStyles = makeStyles({
  surface: { maxWidth: '440px' },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
});

const empty = { old_password: '', new_password: '', confirm_password: '' };
type Values = typeof empty;

interface Props {
  email: string;
  /** Why it is asked for. */
  reason: string;
  /** The way out that there is: another than changing the password. */
  exit: { label: string; run: () => void };
  onChanged: (message: string) => Promise<void>;
}

/** Asks for a new password. Neither Escape nor a press beside it closes it (spec 1, 2.5). */
export function ChangePasswordDialog({ email, reason, exit, onChanged }: Props) {
  const styles = useStyles();
  const [values, setValues] = useState<Values>(empty);
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);

  const change = (name: keyof Values, value: string): void => {
    setValues((old) => ({ ...old, [name]: value }));
    setProblems(({ [name]: _gone, ...rest }) => rest);
  };
  const refuse = (found: Problems): void => {
    setProblems(found);
    focusFirstProblem(formRef.current, found);
  };

  const handleSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const body = encoded(values);
    const found = problemsOf(passwordChange, body);
    if (Object.keys(found).length > 0) return refuse(found);
    setBusy(true);
    try {
      await onChanged(await apiMessage(changePassword, { body }));
    } catch (error) {
      refuse(problemsOfCall(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog open modalType="modal">
      <DialogSurface className={styles.surface} backdrop={{ onClick: (event) => event.preventDefault() }}>
        <form ref={formRef} onSubmit={(event) => void handleSubmit(event)} noValidate>
          <DialogBody>
            <DialogTitle>Change password</DialogTitle>
            <DialogContent className={styles.content}>
              <Text>{reason}</Text>
              {/* so that password managers know whose it is */}
              <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
              <PasswordField
                label="Current password"
                name="old_password"
                autoComplete="current-password"
                value={values.old_password}
                problem={problems['old_password']}
                onChange={(value) => change('old_password', value)}
              />
              <NewPasswordFields values={values} problems={problems} onChange={change} />
            </DialogContent>
            <DialogActions>
              <Button disabledFocusable={isBusy} onClick={exit.run}>
                {exit.label}
              </Button>
              <SubmitButton label="Change password" busyLabel="Changing" isBusy={isBusy} />
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}

function encoded(values: Values): Values {
  return {
    old_password: encodePassword(values.old_password),
    new_password: encodePassword(values.new_password),
    confirm_password: encodePassword(values.confirm_password),
  };
}

/** What has no field of its own is said at the first one. */
function problemsOfCall(error: unknown): Problems {
  if (error instanceof ApiError && Object.keys(error.fields).length > 0) return error.fields;
  const text = error instanceof ApiError ? error.message : '';
  return { old_password: text || 'Failed to change password' };
}
