import { Button } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { Banner } from './Banner.tsx';
import { isUnsentAsked } from './compose-store.ts';
import { isOffered } from './compose-session.ts';
import { openUnsent, unsent } from './unsent.ts';

const DiscardUnsentQuestion = lazyExtra(() => import('./DiscardUnsentQuestion.tsx'));

/** Offers the messages that were being written when a page or a session ended. */
export function UnsentOffer() {
  const t = useWords(unsentWords);
  const all = useStore(unsent).filter(({ isParked }) => !isParked);
  const [isDiscarding, setDiscarding] = useState(false);
  const [first, ...others] = all;
  if (!first) return null;
  const close = (): void => isOffered.set(false);
  if (others.length > 0) {
    const show = (): void => {
      close();
      isUnsentAsked.set(true);
    };
    return (
      <Banner text={<span role="status">{t.offerMore(all.length)}</span>}>
        <Button size="small" appearance="primary" onClick={show}>
          {t.show}
        </Button>
        <Button size="small" onClick={close}>
          {t.later}
        </Button>
      </Banner>
    );
  }
  const open = (): void => {
    close();
    void openUnsent(first.composition);
  };
  return (
    <>
      <Banner text={<span role="status">{t.offerOne}</span>}>
        <Button size="small" appearance="primary" onClick={open}>
          {t.open}
        </Button>
        <Button size="small" onClick={() => setDiscarding(true)}>
          {t.discard}
        </Button>
        <Button size="small" onClick={close}>
          {t.later}
        </Button>
      </Banner>
      {isDiscarding && <DiscardUnsentQuestion place={first.composition} onClose={() => setDiscarding(false)} />}
    </>
  );
}
