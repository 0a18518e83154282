import { useEffect, useState } from 'react';
import { noteChoice } from '../../lib/choices.ts';
import { furtherStorageKeys } from '../../lib/further-storage-keys.ts';
import { readStored } from '../../lib/read-stored.ts';
import { storageKeys } from '../../lib/storage-keys.ts';

interface NavigationState {
  /** Headings whose pages are hidden. */
  folded: string[];
  /** Only the icons are shown. */
  isRail: boolean;
}

function read(): NavigationState {
  const { folded, isRail } = readStored(storageKeys.navigation);
  const names = Array.isArray(folded) ? folded.filter((name) => typeof name === 'string') : [];
  return { folded: names, isRail: isRail === true };
}

/** How a person has arranged the navigation. */
export function useNavigationState() {
  const [state, setState] = useState(read);
  useEffect(() => {
    // Changed in another tab, or on another device
    const follow = ({ key }: StorageEvent): void => {
      if (key === storageKeys.navigation || key === furtherStorageKeys.choices) setState(read());
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  const change = (next: NavigationState): void => {
    setState(next);
    localStorage.setItem(storageKeys.navigation, JSON.stringify(next));
    noteChoice({ folded: next.folded, rail: next.isRail });
  };
  const { folded, isRail } = state;
  const toggleGroup = (group: string): void => {
    const next = folded.includes(group) ? folded.filter((name) => name !== group) : [...folded, group];
    change({ folded: next, isRail });
  };
  return { folded, isRail, toggleGroup, toggleRail: () => change({ folded, isRail: !isRail }) };
}
