import type { EmailDto, UnsubscribeDto } from '@selvage/core/contracts/email';
import { sendEmail } from '@selvage/core/contracts/mail';
import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { writeTo } from './write-to.ts';

const UnsubscribeDialog = lazyExtra(() => import('./UnsubscribeDialog.tsx'));

interface Props {
  email: EmailDto;
  way: UnsubscribeDto;
}

/** The way out of the list that a message came by. */
export function UnsubscribeButton({ email, way }: Props) {
  const t = useWords(readingWords);
  const canCompose = can(useCurrentUser(), sendEmail);
  const [isAsking, setAsking] = useState(false);
  const isByMail = way.way === 'mail';
  if (isByMail && !canCompose) return null;
  const press = (): void => (isByMail ? void writeTo(way.to) : setAsking(true));
  return (
    <>
      <Button size="small" appearance="transparent" onClick={press} onPointerEnter={UnsubscribeDialog.prepare}>
        {t.unsubscribe}
      </Button>
      {isAsking && <UnsubscribeDialog email={email} way={way} onClose={() => setAsking(false)} />}
    </>
  );
}
