import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { dutyOf } from '../../../lib/duties.ts';
import { useSubject, useCurrentUser } from '../../../lib/current-user.ts';
import { preparedMail } from '../../../lib/prepared-mail.ts';
import { BannerStack } from './Banner.tsx';
import { followPerson, isOffered } from './compose-session.ts';
import { composeRequests, isUnsentAsked, openCompose } from './compose-store.ts';
import { Dock } from './Dock.tsx';
import { LogoutQuestion } from './LogoutQuestion.tsx';
import { Opening } from './Opening.tsx';
import { isDocked } from './presentation.ts';
import { SendBanner } from './SendBanner.tsx';
import { sentMessages } from './sent-messages.ts';
import { UnsentOffer } from './UnsentOffer.tsx';
import { type ComposeCode, useComposeCode, type WindowProps } from './use-compose-code.ts';
import { messages } from './windows.ts';

const UnsentList = lazyExtra(() => import('./UnsentList.tsx'));

/** Holds the messages that are being written, and the notices about them, on every page. */
export default function ComposeHost() {
  const owner = useSubject();
  const user = useCurrentUser();
  useEffect(followPerson, []);
  // No message is written before the person is known, or while they have to do something else first
  const isPresent = owner !== null && user !== undefined && dutyOf(user) === null;
  return (
    <>
      {isPresent && <Writing owner={owner} />}
      {owner !== null && <LogoutQuestion />}
    </>
  );
}

function Writing({ owner }: { owner: string }) {
  const shown = useStore(messages).filter(({ isShown, composition }) => isShown && composition.get().owner === owner);
  const requests = useStore(composeRequests);
  const prepared = useStore(preparedMail);
  const docked = useStore(isDocked);
  const top = shown.at(-1);
  const isWanted = top !== undefined || requests.length > 0;
  const { code, isMissing } = useComposeCode({ isWanted, requests, owner });
  useEffect(() => {
    if (!prepared) return;
    preparedMail.set(null);
    openCompose({ kind: 'new', prepared });
  }, [prepared]);
  const isListShown = useStore(isUnsentAsked);
  return (
    <>
      {docked && code && shown.length > 0 && <Dock shown={shown} code={code} />}
      {top && code && !docked ? (
        <TopWindow
          key={top.key}
          code={code}
          message={top}
          place="dialog"
          behind={shown.length - 1}
          notices={<SentBanners isInline />}
        />
      ) : (
        <FloatingBanners isOpening={isWanted && !code && !isMissing} isAside={docked && shown.length > 0} />
      )}
      {isListShown && <UnsentList onClose={() => isUnsentAsked.set(false)} />}
    </>
  );
}

function TopWindow({ code: { Window }, ...props }: WindowProps & { code: ComposeCode }) {
  return <Window {...props} />;
}

function SentBanners({ isInline = false }: { isInline?: boolean }) {
  return useStore(sentMessages).map((sent) => <SendBanner key={sent.id} sent={sent} isInline={isInline} />);
}

function FloatingBanners({ isOpening, isAside }: { isOpening: boolean; isAside: boolean }) {
  return (
    <BannerStack isAside={isAside}>
      {useStore(isOffered) && <UnsentOffer />}
      <SentBanners />
      {isOpening && <Opening />}
    </BannerStack>
  );
}
