import { useState } from 'react';
import { storageKeys } from '../../lib/storage-keys.ts';

interface NavigationState {
  /** Headings whose pages are hidden. */
  folded: string[];
  /** Only the icons are shown. */
  isRail: boolean;
}

function read(): NavigationState {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.navigation) ?? '{}');
    const { folded, isRail } = stored as Partial<NavigationState>;
    const names = Array.isArray(folded) ? folded.filter((name) => typeof name === 'string') : [];
    return { folded: names, isRail: isRail === true };
  } catch {
    // The stored text is not valid: the navigation begins unfolded
    return { folded: [], isRail: false };
  }
}

/** How a person has arranged the navigation, remembered on this device. */
export function useNavigationState() {
  const [state, setState] = useState(read);
  const change = (next: NavigationState): void => {
    setState(next);
    localStorage.setItem(storageKeys.navigation, JSON.stringify(next));
  };
  const { folded, isRail } = state;
  const toggleGroup = (group: string): void => {
    const next = folded.includes(group) ? folded.filter((name) => name !== group) : [...folded, group];
    change({ folded: next, isRail });
  };
  return { folded, isRail, toggleGroup, toggleRail: () => change({ folded, isRail: !isRail }) };
}
