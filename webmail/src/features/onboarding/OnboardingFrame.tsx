import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { Logo } from '../../components/Logo.tsx';
import { useWords } from '../../lib/i18n.ts';
import { requestLogout } from '../../lib/request-logout.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { selvageLine } from '../../theme/styles.ts';
import { leavingWords } from '../../words/leaving.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { type KeptForm, unsavedForms } from './unsaved-input.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralBackground1,
  },
  line: selvageLine,
  head: {
    display: 'flex',
    alignItems: 'center',
    flexShrink: 0,
    gap: tokens.spacingHorizontalXS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [onNarrow]: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}` },
  },
  space: { flexGrow: 1 },
  out: { minWidth: 'auto', whiteSpace: 'nowrap', [onNarrow]: { padding: `0 ${tokens.spacingHorizontalS}` } },
  main: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
});

/** The names of the forms in the middle of a sentence. */
const formNames = { company: 'theCompany', domain: 'theDomain', person: 'theEmployee' } as const satisfies Record<
  KeptForm,
  string
>;

/** The frame of the setup, with the ways out of it. They ask before anything typed is lost. */
export function OnboardingFrame({ user, children }: { user: CurrentUserDto; children: ReactNode }) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const navigate = useNavigate();
  const [unsaved, setUnsaved] = useState<KeptForm[]>([]);
  const logOut = (): void => {
    const forms = unsavedForms(user._id);
    if (forms.length === 0) void requestLogout();
    else setUnsaved(forms);
  };
  return (
    <div className={styles.root}>
      <div className={styles.line} />
      <header className={styles.head}>
        <Logo />
        <span className={styles.space} />
        <Button appearance="subtle" className={styles.out} onClick={() => void navigate('/dashboard/inbox')}>
          {t.continueToMail}
        </Button>
        <Button appearance="subtle" className={styles.out} onClick={logOut}>
          {t.logout}
        </Button>
      </header>
      <main className={styles.main}>{children}</main>
      {unsaved.length > 0 && (
        <LogoutDialog what={unsaved.map((form) => t[formNames[form]]).join(', ')} onClose={() => setUnsaved([])} />
      )}
    </div>
  );
}

function LogoutDialog({ what, onClose }: { what: string; onClose: () => void }) {
  const t = useWords(leavingWords);
  return (
    <ConfirmDialog
      title={t.title}
      text={t.text({ what })}
      confirmLabel={t.leave}
      cancelLabel={t.stay}
      isDangerous
      onConfirm={requestLogout}
      onClose={onClose}
    />
  );
}
