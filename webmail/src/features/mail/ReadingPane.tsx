import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { type ReactNode, useMemo, useState } from 'react';
import { UNSAFE_LocationContext as LocationContext, type Location, NavigationType } from 'react-router-dom';
import { useMailChoices, choose } from './mail-choices.ts';
import { type Pane, PaneContext } from './pane.ts';
import { PaneDivider } from './PaneDivider.tsx';
import { FolderList } from './FolderPage.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', flexGrow: 1, minHeight: 0, minWidth: 0 },
  bottom: { flexDirection: 'column' },
  part: { display: 'flex', flexDirection: 'column', minWidth: 0, minHeight: 0, overflow: 'hidden' },
  beside: { flex: '1 1 0' },
});

interface Props {
  place: Pane['place'];
  listAddress: string;
  openId: string | null;
  /** The page of the address: a message, or the placeholder while none is open. */
  children: ReactNode;
}

/**
 * A folder's list with the open message beside it. The address in the browser is that of the
 * message. The list reads its own address from a context, so that it stays while the person opens
 * one message after another.
 */
export default function ReadingPane({ place, listAddress, openId, children }: Props) {
  const styles = useStyles();
  const { paneShare } = useMailChoices();
  const [moved, setMoved] = useState<number | null>(null);
  const share = moved ?? paneShare[place];
  const [beside, list] = useMemo(() => {
    const pane = { place, listAddress, openId };
    return [
      { ...pane, part: 'beside' as const },
      { ...pane, part: 'list' as const },
    ];
  }, [place, listAddress, openId]);
  const settle = (next: number): void => {
    setMoved(null);
    choose({ paneShare: { ...paneShare, [place]: next } });
  };
  return (
    <div className={mergeClasses(styles.root, place === 'bottom' && styles.bottom)}>
      <div className={styles.part} style={{ flex: `0 0 ${share}%` }}>
        <ListPlace address={listAddress}>
          <PaneContext value={list}>
            <FolderList key={listAddress.split('?')[0]} />
          </PaneContext>
        </ListPlace>
      </div>
      <PaneDivider place={place} share={share} onMove={setMoved} onSettle={settle} />
      <div className={mergeClasses(styles.part, styles.beside)}>
        <PaneContext value={beside}>{children}</PaneContext>
      </div>
    </div>
  );
}

/** Lets what is inside see the list's address as the present one. */
function ListPlace({ address, children }: { address: string; children: ReactNode }) {
  const value = useMemo(() => {
    const { pathname, search } = new URL(address, window.location.origin);
    const location: Location = { pathname, search, hash: '', state: null, key: 'list' };
    return { location, navigationType: NavigationType.Pop };
  }, [address]);
  return <LocationContext.Provider value={value}>{children}</LocationContext.Provider>;
}
