import { builtInRole } from '@selvage/core/contracts/permissions';
import { makeStyles, tokens } from '@fluentui/react-components';
import { Section } from '../../components/page/Section.tsx';
import { useWords } from '../../lib/i18n.ts';
import { onboardingWords } from '../../words/onboarding.ts';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(240px, 100%), 1fr))',
    gap: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXXL}`,
    margin: 0,
  },
  name: { fontWeight: tokens.fontWeightSemibold },
  text: { margin: 0, color: tokens.colorNeutralForeground2 },
});

const names = ['superAdmin', 'admin', 'user'] as const;

/** What each built-in role may do, in plain words (D3). `own` is the number of the reader's. */
export function RolesOverview({ own }: { own: number }) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  return (
    <Section title={t.roles} hint={t.ownRoles}>
      <dl className={styles.list}>
        {names.map((role) => (
          <div key={role}>
            <dt className={styles.name}>{builtInRole[role] === own ? t.yourRole({ role: t[role] }) : t[role]}</dt>
            <dd className={styles.text}>{t[`${role}Text`]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
