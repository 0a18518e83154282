import { makeStyles, tokens } from '@fluentui/react-components';
import { TextLink } from '../../components/TextLink.tsx';
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

/** Says until when the person may go on without the second factor that their role asks for. */
export default function TwoFactorNotice({ at }: { at: string }) {
  const styles = useStyles();
  const t = useWords(shellWords);
  return (
    <div className={styles.root} role="status">
      <span>{t.twoFactorDue({ day: fullDay(at) })}</span>
      <TextLink to="/dashboard/accountsettings?activeTab=security">{t.setUpTwoFactor}</TextLink>
    </div>
  );
}
