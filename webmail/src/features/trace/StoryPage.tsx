import type { StoryDto } from '@selvage/core/contracts/trace';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Page } from '../../components/page/Page.tsx';
import { Section } from '../../components/page/Section.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { fileSize, fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { own } from '../../theme/own-tokens.ts';
import { storyWords, traceStateWords, traceWords } from '../../words/message-trace.ts';
import { storyQuery } from './queries.ts';
import { StoryActions } from './StoryActions.tsx';
import { kindOfState } from './reason-in-words.ts';
import { type StoryStep, storySteps } from './story-steps.ts';
import { recipientOf } from './trace-columns.tsx';

/** Loads the story in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(storyQuery(id));
}

const useStyles = makeStyles({
  steps: { listStyleType: 'none', margin: 0, padding: 0, maxWidth: '96ch' },
  step: {
    position: 'relative',
    display: 'grid',
    gap: tokens.spacingVerticalXXS,
    paddingLeft: tokens.spacingHorizontalXXL,
    paddingBottom: tokens.spacingVerticalL,
    borderLeft: `1px solid ${tokens.colorNeutralStroke1}`,
    marginLeft: '4px',
    ':last-child': { borderLeftColor: 'transparent', paddingBottom: 0 },
  },
  dot: {
    position: 'absolute',
    left: '-5px',
    top: '6px',
    width: '9px',
    height: '9px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'currentColor',
  },
  good: { color: own.stateGood },
  waiting: { color: own.stateWaiting },
  bad: { color: own.stateBad },
  held: { color: own.stateHeld },
  quiet: { color: tokens.colorNeutralForeground3 },
  text: { overflowWrap: 'anywhere', maxWidth: '80ch' },
  time: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  // The words of a stranger: they neither turn the line around nor leave their place
  raw: {
    color: tokens.colorNeutralForeground2,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    overflowWrap: 'anywhere',
    unicodeBidi: 'isolate',
  },
  companions: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', gap: tokens.spacingVerticalS },
  companion: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, overflowWrap: 'anywhere' },
});

/** What happened to one message for one recipient, as /dashboard/trace/{id}. */
export default function StoryPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(storyQuery(id));
  if (data) return <Story story={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

function Story({ story }: { story: StoryDto }) {
  const styles = useStyles();
  const t = useWords(storyWords);
  const s = useWords(traceStateWords);
  const recipient = recipientOf(story);
  const title = recipient === null ? t.titleAlone : t.title({ recipient });
  return (
    <Page
      title={title}
      aside={<StateWord kind={kindOfState[story.state]}>{s[story.state]}</StateWord>}
      actions={<StoryActions story={story} />}
    >
      <Section title={t.storyTitle}>
        <ol className={styles.steps}>
          {storySteps(story).map((step) => (
            <Step key={step.id} step={step} />
          ))}
        </ol>
      </Section>
      <MessageFacts story={story} />
      {story.companions.length > 0 && <Companions story={story} />}
    </Page>
  );
}

function Step({ step: { at, text, raw, kind } }: { step: StoryStep }) {
  const styles = useStyles();
  const t = useWords(storyWords);
  return (
    <li className={styles.step}>
      <span className={mergeClasses(styles.dot, styles[kind])} aria-hidden />
      <span className={styles.text}>{text}</span>
      {raw && (
        <bdi className={styles.raw} title={t.said}>
          {raw}
        </bdi>
      )}
      {at && (
        <time className={styles.time} dateTime={at}>
          {fullDate(at)}
        </time>
      )}
    </li>
  );
}

function MessageFacts({ story }: { story: StoryDto }) {
  const t = useWords(storyWords);
  const { manySenders, manyRecipients, noRecipient } = useWords(traceWords);
  return (
    <Section title={t.factsTitle}>
      <Facts
        rows={[
          [t.sender, story.sender || (story.answers > 1 ? manySenders : t.nullSender)],
          [t.author, story.header_from],
          [t.recipient, story.recipient || (story.answers > 1 ? manyRecipients : noRecipient)],
          [t.messageId, story.message_id],
          [t.mailId, story.mail_id],
          [t.size, story.size === null ? null : fileSize(story.size)],
          [t.company, story.company_id?.name],
        ]}
      />
    </Section>
  );
}

function Companions({ story }: { story: StoryDto }) {
  const styles = useStyles();
  const t = useWords(storyWords);
  const s = useWords(traceStateWords);
  const { noRecipient } = useWords(traceWords);
  return (
    <Section title={t.companionsTitle} hint={t.companionsHint}>
      <ul className={styles.companions}>
        {story.companions.map((companion) => (
          <li key={companion._id} className={styles.companion}>
            <TextLink to={`/dashboard/trace/${companion._id}`}>
              {recipientOf(companion) ?? noRecipient}
              {companion.expanded_to !== null && ` → ${companion.expanded_to}`}
            </TextLink>
            <StateWord kind={kindOfState[companion.state]}>{s[companion.state]}</StateWord>
          </li>
        ))}
      </ul>
    </Section>
  );
}
