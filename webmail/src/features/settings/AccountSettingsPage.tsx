import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { TabbedPage } from '../../components/page/TabbedPage.tsx';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { loadModule } from '../../lib/load-module.ts';
import { accountSettingsWords } from '../../words/account-settings.ts';
import { unsavedNames, useUnsavedNames } from './signatures/unsaved.ts';

const loadGeneral = () => loadModule(() => import('./signatures/GeneralTab.tsx'));
const loadSecurity = () => loadModule(() => import('./security/SecurityTab.tsx'));
const loadForwarding = () => loadModule(() => import('./forwarding/ForwardingTab.tsx'));
const loadFilters = () => loadModule(() => import('../rules/FiltersTab.tsx'));
const loadVacation = () => loadModule(() => import('../rules/VacationTab.tsx'));
const GeneralTab = lazy(() => loadGeneral().then((m) => ({ default: m.GeneralTab })));
const SecurityTab = lazy(() => loadSecurity().then((m) => ({ default: m.SecurityTab })));
const ForwardingTab = lazy(() => loadForwarding().then((m) => ({ default: m.ForwardingTab })));
const FiltersTab = lazy(() => loadFilters().then((m) => ({ default: m.FiltersTab })));
const VacationTab = lazy(() => loadVacation().then((m) => ({ default: m.VacationTab })));

const tabs: Record<string, ComponentType> = {
  general: GeneralTab,
  security: SecurityTab,
  filters: FiltersTab,
  vacation: VacationTab,
  forwarding: ForwardingTab,
};

const PATH = '/dashboard/accountsettings';

/**
 * /dashboard/accountsettings: signatures, how the person gets into the account, what happens to new
 * mail, and where copies of it go.
 */
export default function AccountSettingsPage() {
  const t = useWords(accountSettingsWords);
  const unsaved = useUnsavedNames();
  useReminder();
  return (
    <TabbedPage
      title={t.title}
      parameter="activeTab"
      tabs={[
        { name: 'general', label: unsaved.length > 0 ? t.generalUnsaved : t.general },
        { name: 'security', label: t.security, prepare: () => void loadSecurity().catch(() => undefined) },
        { name: 'filters', label: t.filters, prepare: () => void loadFilters().catch(() => undefined) },
        { name: 'vacation', label: t.vacation, prepare: () => void loadVacation().catch(() => undefined) },
        { name: 'forwarding', label: t.forwarding, prepare: () => void loadForwarding().catch(() => undefined) },
      ]}
    >
      {(open) => {
        const Tab = tabs[open] ?? GeneralTab;
        return (
          <Suspense fallback={<PageSpinner />}>
            <Tab />
          </Suspense>
        );
      }}
    </TabbedPage>
  );
}

/** A person who leaves with something unsaved is told that it waits here. */
function useReminder(): void {
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
