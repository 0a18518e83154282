import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import type { FormEvent } from 'react';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { FactorForm } from './FactorForm.tsx';
import type { Step } from './queries.ts';
import { type Factor, useFactor } from './use-factor.ts';
import type { Outcome, SecondFactor } from './use-sign-in.ts';

const useStyles = makeStyles({
  surface: { maxWidth: '440px' },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
  others: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-start',
    margin: 0,
    padding: 0,
    listStyleType: 'none',
  },
  other: { paddingLeft: 0, paddingRight: 0, minWidth: 'auto', color: tokens.colorBrandForegroundLink },
});

const words: Record<SecondFactor, string> = {
  totp: 'Use the code from my app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
  recovery_email: 'Send a code to my recovery e-mail',
};

interface Props {
  email: string;
  /** What the person can prove themselves with. */
  factors: SecondFactor[];
  isBusy: boolean;
  problem: string | null;
  onProve: (step: Step) => Promise<Outcome>;
  onForgetProblem: () => void;
  onCancel: () => void;
}

/** Asks for the second factor of a sign-in, by whichever way the person has at hand. */
export default function TwoFactorDialog({
  email,
  factors,
  isBusy,
  problem,
  onProve,
  onForgetProblem,
  onCancel,
}: Props) {
  const styles = useStyles();
  // a browser that is not reached by https, or an old one, knows no passkeys
  const ways = factors.filter((way) => way !== 'passkey' || 'PublicKeyCredential' in window);
  const factor = useFactor({ email, first: ways[0] ?? 'totp', onProve });
  const { way } = factor;
  const isWorking = isBusy || factor.isBusy;
  const [label, busyLabel] = labelsOf(factor);

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWorking) void factor.submit();
  };
  const handleWay = (next: SecondFactor): void => {
    onForgetProblem();
    factor.choose(next);
  };

  return (
    <Dialog open modalType="modal" onOpenChange={(_event, data) => !data.open && !isWorking && onCancel()}>
      <DialogSurface className={styles.surface} backdrop={{ onClick: (event) => event.preventDefault() }}>
        <form onSubmit={handleSubmit} noValidate>
          <DialogBody>
            <DialogTitle>Two-factor authentication</DialogTitle>
            <DialogContent className={styles.content}>
              <FactorForm factor={factor} isBusy={isWorking} problem={factor.problem ?? problem} />
              {ways.length > 1 && (
                <ul className={styles.others} aria-label="Other ways">
                  {ways
                    .filter((other) => other !== way)
                    .map((other) => (
                      <li key={other}>
                        <Button
                          appearance="transparent"
                          className={styles.other}
                          disabledFocusable={isWorking}
                          onClick={() => handleWay(other)}
                        >
                          {words[other]}
                        </Button>
                      </li>
                    ))}
                </ul>
              )}
            </DialogContent>
            <DialogActions>
              <Button disabledFocusable={isBusy} onClick={onCancel}>
                Cancel
              </Button>
              <SubmitButton label={label} busyLabel={busyLabel} isBusy={isWorking} />
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}

function labelsOf({ way, isSent }: Factor): [rest: string, busy: string] {
  if (way === 'passkey') return ['Use passkey', 'Waiting'];
  return way === 'recovery_email' && !isSent ? ['Send code', 'Sending'] : ['Verify', 'Verifying'];
}
