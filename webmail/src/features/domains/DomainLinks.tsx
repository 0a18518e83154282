import { PageLinks } from '../../components/page/PageLinks.tsx';
import { useWords } from '../../lib/i18n.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';
import { pageWords } from '../../words/pages.ts';

/** Links between the lists of domains. */
export function DomainLinks() {
  const t = useWords(domainGuardWords);
  const titles = useWords(pageWords);
  return (
    <PageLinks
      label={t.links}
      links={[
        { to: '/dashboard/domain', label: titles.domains },
        { to: '/dashboard/domain/health', label: titles.domainHealth },
      ]}
    />
  );
}
