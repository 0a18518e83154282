import { Button } from '@fluentui/react-components';
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark';
import { CopyRegular } from '@fluentui/react-icons/svg/copy';
import { useEffect, useState } from 'react';
import { useWords } from '../lib/i18n.ts';
import { copyWords } from '../words/copy.ts';
import { copyText } from './copy-text.ts';
import { notify } from './feedback/notify.ts';

const CONFIRMATION_MS = 2_000;

interface Props {
  /** What is copied, in the middle of a sentence; screen readers hear it. */
  name: string;
  text: string;
  /** Said in a toast when it is done, in place of the word on the button. */
  said?: string;
}

/** Copies a text, and says so for two seconds. */
export function CopyButton({ name, text, said }: Props) {
  const t = useWords(copyWords);
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const handleClick = async (event: React.MouseEvent<HTMLElement>): Promise<void> => {
    const isDone = await copyText(text, event.currentTarget);
    if (!isDone) return notify.failure(t.refused);
    if (said === undefined) setCopied((count) => count + 1);
    else notify.info(said);
  };
  return (
    <Button
      size="small"
      icon={copied ? <CheckmarkRegular /> : <CopyRegular />}
      aria-label={copied ? t.copiedNamed({ name }) : t.copyNamed({ name })}
      onClick={(event) => void handleClick(event)}
    >
      <span aria-live="polite">{copied ? t.copied : t.copy}</span>
    </Button>
  );
}
