import { Button, makeStyles, Spinner } from '@fluentui/react-components';

const useStyles = makeStyles({ root: { whiteSpace: 'nowrap' } });

interface Props {
  label: string;
  busyLabel: string;
  isBusy: boolean;
  size?: 'medium' | 'large';
}

/** Sends its form; while that takes, it says so and takes no second press. */
export function SubmitButton({ label, busyLabel, isBusy, size = 'medium' }: Props) {
  const styles = useStyles();
  return (
    <Button
      type="submit"
      className={styles.root}
      appearance="primary"
      size={size}
      disabledFocusable={isBusy}
      icon={isBusy ? <Spinner size="tiny" /> : undefined}
    >
      {isBusy ? busyLabel : label}
    </Button>
  );
}
