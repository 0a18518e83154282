import { Button, Spinner } from '@fluentui/react-components';

interface Props {
  label: string;
  busyLabel: string;
  isBusy: boolean;
  size?: 'medium' | 'large';
}

/** Sends its form; while that takes, it says so and takes no second press. */
export function SubmitButton({ label, busyLabel, isBusy, size = 'medium' }: Props) {
  return (
    <Button
      type="submit"
      appearance="primary"
      size={size}
      disabledFocusable={isBusy}
      icon={isBusy ? <Spinner size="tiny" /> : undefined}
    >
      {isBusy ? busyLabel : label}
    </Button>
  );
}
