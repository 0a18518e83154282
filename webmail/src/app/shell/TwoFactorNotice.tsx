import { Link, makeStyles, tokens } from '@fluentui/react-components';
import { TextLink } from '../../components/TextLink.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { isSettingUpTwoFactor } from '../../lib/duties.ts';
import { fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { shellWords } from '../../words/shell.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: own.stateWaitingPaper,
    color: own.stateWaiting,
  },
});

const settingsPage = { model: 'accountsettings', action: 'view' } as const;

/** Says until when the person may go on without the second factor that their role asks for. */
export default function TwoFactorNotice({ at }: { at: string }) {
  const styles = useStyles();
  const t = useWords(shellWords);
  const user = useCurrentUser();
  return (
    <div className={styles.root} role="status">
      <span>{t.twoFactorDue({ day: fullDay(at) })}</span>
      {can(user, settingsPage) ? (
        <TextLink to="/dashboard/accountsettings?activeTab=security">{t.setUpTwoFactor}</TextLink>
      ) : (
        <Link as="button" inline onClick={() => isSettingUpTwoFactor.set(true)}>
          {t.setUpTwoFactor}
        </Link>
      )}
    </div>
  );
}
