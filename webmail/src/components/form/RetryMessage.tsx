import { Button } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { FormMessage } from './FormMessage.tsx';

interface Props {
  text: ReactNode;
  intent?: 'error' | 'warning';
  onRetry: () => void;
}

/** Says in a form or a dialog that something could not be loaded, and offers another try. */
export function RetryMessage({ text, intent = 'error', onRetry }: Props) {
  const { retry } = useWords(feedbackWords);
  return (
    <FormMessage
      intent={intent}
      text={text}
      action={
        <Button size="small" onClick={onRetry}>
          {retry}
        </Button>
      }
    />
  );
}
