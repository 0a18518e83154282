import { makeStyles, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import { Bar, Placeholder } from '../../../components/feedback/Placeholder.tsx';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { mailPaper } from '../../../theme/mail-paper.ts';
import { previewWords } from '../../../words/file-preview.ts';
import { drawPage, layText, openPdf, type Pdf, type PdfProblem, problemOf } from './open-pdf.ts';

const useStyles = makeStyles({
  pages: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  page: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: '100%',
    flexShrink: 0,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    boxSizing: 'border-box',
    overflow: 'hidden',
  },
  frame: { position: 'relative', width: '100%', height: '100%' },
  canvas: { display: 'block', width: '100%', height: '100%', objectFit: 'contain' },
  // As in `pdf_viewer.css` of pdf.js: each piece of text is transparent and lies where it is drawn
  text: {
    position: 'absolute',
    inset: 0,
    overflow: 'clip',
    lineHeight: 1,
    textAlign: 'initial',
    textSizeAdjust: 'none',
    forcedColorAdjust: 'none',
    transformOrigin: '0 0',
    '--text-scale-factor': 'calc(var(--total-scale-factor) * var(--min-font-size))',
    '& span, & br': {
      position: 'absolute',
      color: 'transparent',
      whiteSpace: 'pre',
      cursor: 'text',
      transformOrigin: '0 0',
    },
    '& span': {
      fontSize: 'calc(var(--text-scale-factor) * var(--font-height, 0))',
      transform: 'rotate(var(--rotate, 0deg)) scaleX(var(--scale-x, 1)) scale(calc(1 / var(--min-font-size)))',
    },
    '& ::selection': { backgroundColor: `color-mix(in srgb, ${mailPaper.link} 30%, transparent)` },
  },
});

/** Only the beginning of a longer file is shown. */
const MOST_PAGES = 300;
/** A page that is much taller or wider than any paper is shown in a frame of such a shape. */
const MOST_STRETCHED = 6;
/**
 * Pages within this distance of the visible part are drawn. Pages further away are released again.
 */
const NEAR = '600px';

/** The pages of a PDF, each drawn when it is scrolled to. */
export default function PdfPages({ file }: { file: Blob }) {
  const styles = useStyles();
  const t = useWords(previewWords);
  const [pdf, setPdf] = useState<Pdf | null>(null);
  const [problem, setProblem] = useState<PdfProblem | null>(null);
  useEffect(() => {
    let isGone = false;
    const { opened, close } = openPdf(file);
    opened.then(
      (open) => !isGone && setPdf(open),
      (error: unknown) => !isGone && setProblem(problemOf(error)),
    );
    return () => {
      isGone = true;
      close();
    };
  }, [file]);
  if (problem) return <FormMessage intent="info" text={problem === 'locked' ? t.pdfLocked : t.pdfBroken} />;
  if (!pdf) {
    return (
      <Placeholder label={t.loading}>
        <Bar height={240} />
      </Placeholder>
    );
  }
  const total = pdf.pages.numPages;
  return (
    <>
      {total > MOST_PAGES && <FormMessage intent="info" text={t.pdfCut({ count: MOST_PAGES, total })} />}
      <div className={styles.pages}>
        {Array.from({ length: Math.min(total, MOST_PAGES) }, (_unused, index) => (
          <PdfPage key={index} pdf={pdf} number={index + 1} />
        ))}
      </div>
    </>
  );
}

function PdfPage({ pdf, number }: { pdf: Pdf; number: number }) {
  const styles = useStyles();
  const t = useWords(previewWords);
  const frame = useRef<HTMLDivElement>(null);
  const isNear = useNear(frame);
  const [shape, setShape] = useState(shapeOf(pdf.first));
  const [state, setState] = useState<'waiting' | 'drawn' | 'broken'>('waiting');
  const [hasText, setHasText] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!isNear || !element) return;
    let isGone = false;
    let stop = (): void => undefined;
    let unscale = (): void => undefined;
    const canvas = document.createElement('canvas');
    canvas.className = styles.canvas;
    const draw = async (): Promise<void> => {
      const page = await pdf.pages.getPage(number);
      if (isGone) return;
      const size = page.getViewport({ scale: 1 });
      setShape(shapeOf(size));
      const drawing = drawPage(page, canvas, element.clientWidth);
      stop = drawing.stop;
      await drawing.drawn;
      if (isGone) return;
      element.replaceChildren(canvas);
      setState('drawn');
      // In a frame of another shape the picture has margins, so the text would not lie on it
      if (shapeOf(size) !== size.width / size.height) return;
      const text = document.createElement('div');
      text.className = styles.text;
      // Without its text, the picture of the page is still useful
      const isLaid = await layText(page, text).catch(() => false);
      if (isGone || !isLaid) return;
      unscale = keepScaled(element, size.width);
      element.append(text);
      setHasText(true);
    };
    draw().catch(() => !isGone && setState('broken'));
    return () => {
      isGone = true;
      stop();
      unscale();
      element.replaceChildren();
      // Browsers keep the pixels of a canvas until it has none
      canvas.width = 0;
      setState('waiting');
      setHasText(false);
    };
  }, [isNear, pdf, number, styles.canvas, styles.text]);
  return (
    <div
      className={styles.page}
      style={{ aspectRatio: shape, backgroundColor: mailPaper.paper }}
      role={state === 'broken' || hasText ? 'group' : 'img'}
      aria-label={t.pdfPage({ number, total: pdf.pages.numPages })}
      aria-busy={isNear && state === 'waiting'}
      data-drawn={state === 'drawn'}
    >
      <div ref={frame} className={styles.frame} />
      {state === 'broken' && <FormMessage intent="info" text={t.pdfPageBroken} />}
    </div>
  );
}

/** Keeps the text of a page at the scale of its picture, until the returned function is called. */
function keepScaled(element: HTMLElement, pageWidth: number): () => void {
  const observer = new ResizeObserver(() => {
    element.style.setProperty('--total-scale-factor', String(element.clientWidth / pageWidth));
  });
  observer.observe(element);
  return () => observer.disconnect();
}

function shapeOf({ width, height }: { width: number; height: number }): number {
  const shape = width / height;
  return Number.isFinite(shape) ? Math.min(Math.max(shape, 1 / MOST_STRETCHED), MOST_STRETCHED) : 1;
}

function useNear(ref: { current: HTMLElement | null }): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver((seen) => setNear(seen.at(-1)?.isIntersecting ?? false), {
      root: element.closest('.fui-DialogContent'),
      rootMargin: NEAR,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return isNear;
}
