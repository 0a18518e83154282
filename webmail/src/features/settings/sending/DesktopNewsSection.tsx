import { useStore } from '@nanostores/react';
import { notify } from '../../../components/feedback/notify.ts';
import { AlignedSwitch } from '../../../components/form/choice-fields.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { desktopNews, hasDesktopNews, turnOffDesktopNews, turnOnDesktopNews } from '../../../lib/desktop-news.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { desktopNewsWords } from '../../../words/desktop-news.ts';

async function turnOn(): Promise<void> {
  if (!(await turnOnDesktopNews())) notify.failure(wordsOf(desktopNewsWords).refused);
}

/** Whether the desktop announces new mail. The choice holds for this browser. */
export function DesktopNewsSection() {
  const t = useWords(desktopNewsWords);
  const isOn = useStore(desktopNews);
  if (!hasDesktopNews) return null;
  return (
    <Section title={t.title} hint={t.hint}>
      <AlignedSwitch
        label={t.show}
        checked={isOn}
        onChange={(_event, { checked }) => (checked ? void turnOn() : turnOffDesktopNews())}
      />
    </Section>
  );
}
