import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { frameDocument } from './mail-frame.ts';
import { useFrame } from './use-frame.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, flexShrink: 0, gap: tokens.spacingVerticalS },
  frame: {
    display: 'block',
    width: '100%',
    minHeight: '64px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    // mail is written for white paper, in the dark theme too
    colorScheme: 'light',
  },
});

interface Props {
  body: string;
  /** The style sheets of the message. */
  sheet: string;
  /** The server's page of the same text, under a content policy that lets remote pictures in. */
  framePath: string;
  hasRemoteContent: boolean;
  title: string;
}

/** The text of a message, behind glass, as tall as it is: the page around it scrolls. */
export function MessageFrame({ body, sheet, framePath, hasRemoteContent, title }: Props) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const [showsRemote, setShowsRemote] = useState(false);
  const { frame, height } = useFrame();
  const source = useMemo(() => frameDocument({ html: body, sheet, origin: window.location.origin }), [body, sheet]);
  // a frame made from text inherits this page's policy, which keeps all remote pictures out
  const content = showsRemote ? { src: withImages(framePath) } : { srcDoc: source };
  return (
    <div className={styles.root}>
      {hasRemoteContent && !showsRemote && (
        <FormMessage
          intent="info"
          text={t.picturesHeld}
          action={
            <Button size="small" onClick={() => setShowsRemote(true)}>
              {t.showPictures}
            </Button>
          }
        />
      )}
      <iframe
        key={showsRemote ? 'remote' : 'local'}
        ref={frame}
        className={styles.frame}
        style={height === null ? undefined : { height }}
        title={title}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        {...content}
      />
    </div>
  );
}

function withImages(framePath: string): string {
  return `${framePath}${framePath.includes('?') ? '&' : '?'}images=1`;
}
