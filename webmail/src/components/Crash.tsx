import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  page: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: tokens.spacingVerticalL,
    minHeight: '60vh',
    padding: tokens.spacingHorizontalXXL,
    textAlign: 'center',
  },
});

/** Shown instead of a screen that broke. */
export function Crash() {
  const styles = useStyles();
  return (
    <div className={styles.page} role="alert">
      <Text size={500} weight="semibold">
        Something went wrong on this page
      </Text>
      <Text>Your mail is safe. Reload the page to go on.</Text>
      <Button appearance="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  );
}
