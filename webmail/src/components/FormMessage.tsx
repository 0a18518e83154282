import { MessageBar, MessageBarBody } from '@fluentui/react-components';

interface Props {
  text: string | null | undefined;
  intent?: 'error' | 'warning' | 'success' | 'info';
}

/** What happened, where the reader of a form looks next; read out at once. */
export function FormMessage({ text, intent = 'error' }: Props) {
  if (!text) return null;
  return (
    <MessageBar intent={intent} layout="multiline" role={intent === 'error' ? 'alert' : 'status'}>
      <MessageBarBody>{text}</MessageBarBody>
    </MessageBar>
  );
}
