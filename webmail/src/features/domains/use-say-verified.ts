import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { focusOnArrival } from '../../components/page/Page.tsx';
import { wordsOf } from '../../lib/i18n.ts';
import { choicesKey } from '../../lib/record-keys.ts';
import { domainWords } from '../../words/domains.ts';

/**
 * Says that a domain has become verified while a page shows it, by whatever way it did. From then
 * on people can have addresses in it.
 */
export function useSayVerified(verified: boolean): void {
  const client = useQueryClient();
  const wasVerified = useRef(verified);
  useEffect(() => {
    if (verified && !wasVerified.current) {
      notify.success(wordsOf(domainWords).verified);
      void client.invalidateQueries({ queryKey: choicesKey });
      // The button that had the focus has gone
      focusOnArrival(document.querySelector('h1'));
    }
    wasVerified.current = verified;
  }, [verified, client]);
}
