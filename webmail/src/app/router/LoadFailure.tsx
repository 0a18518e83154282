import { Button } from '@fluentui/react-components';
import { PlugDisconnectedRegular } from '@fluentui/react-icons/svg/plug-disconnected';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { requestLogout } from '../../lib/request-logout.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { shellWords } from '../../words/shell.ts';

interface Props {
  error: unknown;
  onRetry: () => void;
}

/** Shown instead of the app when the logged-in person could not be loaded. */
export default function LoadFailure({ error, onRetry }: Props) {
  const t = useWords(feedbackWords);
  const shell = useWords(shellWords);
  return (
    <StatusPage
      isAlert
      icon={<PlugDisconnectedRegular />}
      title={t.error({ message: messageOf(error) })}
      action={
        <>
          <Button appearance="primary" onClick={onRetry}>
            {t.retry}
          </Button>
          <Button onClick={() => void requestLogout()}>{shell.logout}</Button>
        </>
      }
    />
  );
}
