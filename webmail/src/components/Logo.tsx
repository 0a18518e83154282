import { makeStyles, Text, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  root: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  mark: { width: '28px', height: '28px', display: 'block' },
});

export function Logo() {
  const styles = useStyles();
  return (
    <span className={styles.root}>
      <img className={styles.mark} src="/favicon.svg" alt="" />
      <Text size={500} weight="semibold">
        Selvage
      </Text>
    </span>
  );
}
