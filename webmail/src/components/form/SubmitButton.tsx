import { Button, makeStyles } from '@fluentui/react-components';
import { Ring } from '../feedback/Ring.tsx';

const useStyles = makeStyles({ root: { whiteSpace: 'nowrap' } });

interface Props {
  label: string;
  busyLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  size?: 'medium' | 'large';
}

/** Sends its form; while that takes, it says so and takes no second press. */
export function SubmitButton({ label, busyLabel, isBusy, isDisabled = false, size = 'medium' }: Props) {
  const styles = useStyles();
  return (
    <Button
      type="submit"
      className={styles.root}
      appearance="primary"
      size={size}
      disabledFocusable={isBusy || isDisabled}
      icon={isBusy ? <Ring /> : undefined}
    >
      {isBusy ? busyLabel : label}
    </Button>
  );
}
