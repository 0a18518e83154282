import { Button } from '@fluentui/react-components';
import { PlugDisconnectedRegular } from '@fluentui/react-icons/svg/plug-disconnected';
import { StatusPage } from '../components/StatusPage.tsx';
import { useLogout } from '../features/auth/use-logout.ts';
import { messageOf } from '../lib/api-error.ts';

interface Props {
  error: unknown;
  onRetry: () => void;
}

/** Instead of everything, when the signed-in person could not be loaded. */
export function LoadFailure({ error, onRetry }: Props) {
  const logOut = useLogout();
  return (
    <StatusPage
      isAlert
      icon={<PlugDisconnectedRegular />}
      title={`Error: ${messageOf(error)}`}
      action={
        <span>
          <Button appearance="primary" onClick={onRetry}>
            Retry
          </Button>{' '}
          <Button onClick={() => void logOut()}>Logout</Button>
        </span>
      }
    />
  );
}
