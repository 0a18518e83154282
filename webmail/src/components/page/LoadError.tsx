import { Button } from '@fluentui/react-components';
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { Forbidden } from './Forbidden.tsx';
import { Gone } from './Gone.tsx';
import { StatusPage } from './StatusPage.tsx';

interface Props {
  error: unknown;
  onRetry: () => void;
}

/**
 * What to show when a page's data could not be had: not allowed, no longer there, or failed with
 * another try offered.
 */
export function LoadError({ error, onRetry }: Props) {
  const t = useWords(feedbackWords);
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 403) return <Forbidden />;
  if (status === 404) return <Gone />;
  return (
    <StatusPage
      isAlert
      icon={<ErrorCircleRegular />}
      title={t.error({ message: messageOf(error) })}
      action={
        <Button appearance="primary" onClick={onRetry}>
          {t.retry}
        </Button>
      }
    />
  );
}
