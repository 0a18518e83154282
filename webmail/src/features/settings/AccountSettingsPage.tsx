import { makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed';
import { lazy, Suspense, useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { isAllowed, useCurrentUser } from '../../lib/current-user.ts';
import { unsavedNames, useUnsavedNames } from './signatures/unsaved.ts';

const loadGeneral = () => import('./signatures/GeneralTab.tsx');
const loadSecurity = () => import('./security/SecurityTab.tsx');
const GeneralTab = lazy(() => loadGeneral().then((m) => ({ default: m.GeneralTab })));
const SecurityTab = lazy(() => loadSecurity().then((m) => ({ default: m.SecurityTab })));

const tabs = { general: 'General', security: 'Security' } as const;
type TabName = keyof typeof tabs;
const PATH = '/dashboard/accountsettings';

const useStyles = makeStyles({
  scroll: { flexGrow: 1, minHeight: 0, overflowY: 'auto' },
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    maxWidth: '960px',
    padding: tokens.spacingHorizontalXXL,
    boxSizing: 'border-box',
    '@media (max-width: 719px)': { padding: tokens.spacingHorizontalM },
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  panel: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
});

export function AccountSettingsPage() {
  const user = useCurrentUser();
  useEffect(() => {
    document.title = 'Account settings · Selvage';
  }, []);
  if (!user) return <PageSpinner />;
  if (!isAllowed(user, 'accountsettings', 'view')) {
    return (
      <StatusPage
        isAlert
        icon={<LockClosedRegular />}
        title="You may not open this page"
        hint="Ask an administrator of your company."
      />
    );
  }
  return <Tabs />;
}

function Tabs() {
  const styles = useStyles();
  const [search, setSearch] = useSearchParams();
  const unsaved = useUnsavedNames();
  const active: TabName = search.get('activeTab') === 'security' ? 'security' : 'general';
  useReminder();
  return (
    <div className={styles.scroll}>
      <div className={styles.root}>
        <h1 className={styles.title}>Account settings</h1>
        <TabList
          aria-label="Account settings"
          selectedValue={active}
          onTabSelect={(_event, { value }) => setSearch({ activeTab: String(value) })}
        >
          <Tab value="general" id="tab-general" aria-controls="panel-general">
            {unsaved.length > 0 ? `${tabs.general} (not saved)` : tabs.general}
          </Tab>
          <Tab
            value="security"
            id="tab-security"
            aria-controls="panel-security"
            onPointerEnter={() => void loadSecurity().catch(() => undefined)}
          >
            {tabs.security}
          </Tab>
        </TabList>
        <div className={styles.panel} role="tabpanel" id={`panel-${active}`} aria-labelledby={`tab-${active}`}>
          <Suspense fallback={<PageSpinner />}>{active === 'general' ? <GeneralTab /> : <SecurityTab />}</Suspense>
        </div>
      </div>
    </div>
  );
}

/** Whoever leaves with something unsaved is told that it waits here. */
function useReminder(): void {
  const navigate = useNavigate();
  useEffect(
    () => () => {
      const names = unsavedNames();
      if (names.length === 0 || window.location.pathname === PATH) return;
      const what = names.length === 1 ? `The signature “${names[0]}” is` : `${names.length} signatures are`;
      notify.info(`${what} not saved yet. It waits in the settings until you close this tab or log out.`, {
        label: 'Go back',
        run: () => void navigate(PATH),
      });
    },
    [navigate],
  );
}
