import { Button } from '@fluentui/react-components';
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark';
import { CopyRegular } from '@fluentui/react-icons/svg/copy';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { notify } from './feedback/notify.ts';

const CONFIRMATION_MS = 2_000;

interface Props {
  /** What the button says; `name` says to screen readers what is copied. */
  label?: string;
  name: string;
  text: string;
}

/** Copies a text, and says so for two seconds. */
export function CopyButton({ label = 'Copy', name, text }: Props) {
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const handleClick = async (event: React.MouseEvent<HTMLElement>): Promise<void> => {
    const isDone = await copyText(text, event.currentTarget);
    if (isDone) setCopied((count) => count + 1);
    else notify.error(new Error('The browser did not allow to copy. Select the text and copy it.'));
  };
  return (
    <Button
      size="small"
      icon={copied ? <CheckmarkRegular /> : <CopyRegular />}
      aria-label={copied ? `Copied ${name}` : `${label} ${name}`}
      onClick={(event) => void handleClick(event)}
    >
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}
