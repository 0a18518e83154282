import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { type ReactNode, useId } from 'react';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingHorizontalXL,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    '@media (max-width: 479px)': { padding: tokens.spacingHorizontalM },
  },
  head: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'flex-start' },
  words: { flex: '1 1 240px', minWidth: 0, display: 'flex', flexDirection: 'column', gap: '2px' },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  hint: { color: tokens.colorNeutralForeground2 },
});

interface Props {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

/** One matter of the settings: what it is, what can be done, how it stands. */
export function Section({ title, hint, action, children }: Props) {
  const styles = useStyles();
  const id = useId();
  return (
    <section className={styles.root} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          {hint && <Text className={styles.hint}>{hint}</Text>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
