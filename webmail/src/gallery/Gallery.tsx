import { Button, makeStyles, tokens, useFocusVisible } from '@fluentui/react-components';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { Tips } from '../components/feedback/Tips.tsx';
import { Toasts } from '../components/feedback/Toasts.tsx';
import { chooseDensity, chooseTheme } from '../lib/choices.ts';
import { queryClient } from '../lib/query-client.ts';
import { onNarrow } from '../theme/breakpoints.ts';
import { followLook, useLook } from '../theme/look.ts';
import { selvageLine } from '../theme/styles.ts';
import { type SectionName, sections } from './sections.ts';
import { hold } from './settling.ts';

const useStyles = makeStyles({
  line: selvageLine,
  bar: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXL}`,
    [onNarrow]: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}` },
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase500, fontWeight: tokens.fontWeightSemibold },
  space: { flexGrow: 1 },
  sheet: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXXL,
    padding: tokens.spacingHorizontalXL,
    backgroundColor: tokens.colorNeutralBackground1,
    [onNarrow]: { padding: tokens.spacingHorizontalM },
  },
});

function nameInAddress(): SectionName {
  const names = Object.keys(sections) as SectionName[];
  return names.find((name) => name === window.location.hash.slice(1)) ?? 'typography';
}

function followAddress(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** The section of the gallery that the address names, in the chosen look. */
export function Gallery() {
  const styles = useStyles();
  const focusRef = useFocusVisible<HTMLElement>();
  const look = useLook();
  const name = useSyncExternalStore(followAddress, nameInAddress);
  const { title, Show } = sections[name];
  useEffect(followLook, []);
  useEffect(() => hold()(), [name]);
  useLayoutEffect(() => {
    focusRef.current = document.body;
  }, [focusRef]);
  return (
    <QueryClientProvider client={queryClient}>
      <div className={styles.line} />
      <header className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        <span className={styles.space} />
        <select
          aria-label="Section"
          value={name}
          onChange={(event) => window.location.assign(`#${event.target.value}`)}
        >
          {Object.entries(sections).map(([one, { title: label }]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </select>
        <Button size="small" onClick={() => chooseTheme(look.theme === 'dark' ? 'light' : 'dark')}>
          Light or dark
        </Button>
        <Button size="small" onClick={() => chooseDensity(look.density === 'compact' ? 'comfortable' : 'compact')}>
          {look.density}
        </Button>
      </header>
      <main className={styles.sheet} data-section={name}>
        <Show key={name} />
      </main>
      <Toasts />
      <Tips />
    </QueryClientProvider>
  );
}
