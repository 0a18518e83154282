import { useEffect, useRef } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { focusOnArrival } from '../../components/page/Page.tsx';
import { wordsOf } from '../../lib/i18n.ts';
import { domainWords } from '../../words/domains.ts';

/** Says that a domain has become verified while a page shows it, by whatever way it did. */
export function useSayVerified(verified: boolean): void {
  const wasVerified = useRef(verified);
  useEffect(() => {
    if (verified && !wasVerified.current) {
      notify.success(wordsOf(domainWords).verified);
      // The button that had the focus has gone
      focusOnArrival(document.querySelector('h1'));
    }
    wasVerified.current = verified;
  }, [verified]);
}
