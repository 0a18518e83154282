import { createElement, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { lazyPart } from '../../components/lazy-part.tsx';
import { TabbedPage } from '../../components/page/TabbedPage.tsx';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { accountSettingsWords } from '../../words/account-settings.ts';
import { unsavedNames, useUnsavedNames } from './signatures/unsaved.ts';

const tabs = {
  general: lazyPart<object>(() => import('./signatures/GeneralTab.tsx').then((m) => ({ default: m.GeneralTab }))),
  security: lazyPart<object>(() => import('./security/SecurityTab.tsx').then((m) => ({ default: m.SecurityTab }))),
  filters: lazyPart<object>(() => import('../rules/FiltersTab.tsx').then((m) => ({ default: m.FiltersTab }))),
  vacation: lazyPart<object>(() => import('../rules/VacationTab.tsx').then((m) => ({ default: m.VacationTab }))),
  forwarding: lazyPart<object>(() =>
    import('./forwarding/ForwardingTab.tsx').then((m) => ({ default: m.ForwardingTab })),
  ),
};

const tabAt = (name: string) => Object.entries(tabs).find(([known]) => known === name)?.[1] ?? tabs.general;

const PATH = '/dashboard/accountsettings';

/**
 * /dashboard/accountsettings: signatures, how the person gets into the account, what happens to new
 * mail, and where copies of it go.
 */
export default function AccountSettingsPage() {
  const t = useWords(accountSettingsWords);
  const unsaved = useUnsavedNames();
  useUnsavedReminder();
  return (
    <TabbedPage
      title={t.title}
      parameter="activeTab"
      tabs={[
        { name: 'general', label: unsaved.length > 0 ? t.generalUnsaved : t.general },
        { name: 'security', label: t.security, prepare: tabs.security.prepare },
        { name: 'filters', label: t.filters, prepare: tabs.filters.prepare },
        { name: 'vacation', label: t.vacation, prepare: tabs.vacation.prepare },
        { name: 'forwarding', label: t.forwarding, prepare: tabs.forwarding.prepare },
      ]}
    >
      {(open) => createElement(tabAt(open))}
    </TabbedPage>
  );
}

/** A person who leaves with something unsaved is told that it waits here. */
function useUnsavedReminder(): void {
  const navigate = useNavigate();
  useEffect(
    () => () => {
      const names = unsavedNames();
      if (names.length === 0 || window.location.pathname === PATH) return;
      const t = wordsOf(accountSettingsWords);
      const [name = ''] = names;
      notify.info(names.length === 1 ? t.waitsOne({ name }) : t.waitsMany(names.length), {
        label: t.goBack,
        run: () => void navigate(PATH),
      });
    },
    [navigate],
  );
}
