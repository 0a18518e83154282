import {
  AnnotationMode,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
  version,
  VerbosityLevel,
} from 'pdfjs-dist';

/*
 * A PDF is untrusted input. pdf.js reads it in a worker that ends with the preview. Nothing in the
 * file runs: no scripts (these need the viewer of pdf.js, which is not loaded), no forms and no
 * links. Nothing is fetched except pdf.js's own files from this host.
 */

/** An open PDF. */
export interface Pdf {
  pages: PDFDocumentProxy;
  /** Width and height of its first page, which the others most often have too. */
  first: { width: number; height: number };
}

/** Why there is nothing to see: a password is needed, or it is damaged or no PDF. */
export type PdfProblem = 'locked' | 'broken';

const files = `/assets/pdf-${version}`;
/** Pixels of one picture in a file, and of one page as it is drawn. */
const MOST_IMAGE_PIXELS = 24_000_000;
const MOST_PAGE_PIXELS = 4_000_000;
/** A page with more pieces of text than any print has is shown without its text. */
const MOST_PIECES = 20_000;

/**
 * Begins to open a file. `close` ends all work on it, at any time.
 */
export function openPdf(file: Blob): { opened: Promise<Pdf>; close: () => void } {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  const reader = PDFWorker.create({ port: worker, verbosity: VerbosityLevel.ERRORS });
  let isClosed = false;
  const open = async (): Promise<Pdf> => {
    const data = await file.arrayBuffer();
    if (isClosed) throw new Error('closed');
    const pages = await getDocument({
      data,
      worker: reader,
      verbosity: VerbosityLevel.ERRORS,
      cMapUrl: `${files}/cmaps/`,
      standardFontDataUrl: `${files}/standard_fonts/`,
      wasmUrl: `${files}/wasm/`,
      useWasm: false,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: MOST_IMAGE_PIXELS,
      disableWorkerRendering: true,
    }).promise;
    const { width, height } = (await pages.getPage(1)).getViewport({ scale: 1 });
    return { pages, first: { width, height } };
  };
  const close = (): void => {
    isClosed = true;
    reader.destroy();
    worker.terminate();
  };
  return { opened: open(), close };
}

/** What an error of pdf.js means to a reader. */
export function problemOf(error: unknown): PdfProblem {
  return error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'broken';
}

/**
 * Draws a page at the width that its canvas has on the screen.
 * @returns a function that stops the drawing
 */
export function drawPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  cssWidth: number,
): { drawn: Promise<void>; stop: () => void } {
  const natural = page.getViewport({ scale: 1 });
  const wished = (cssWidth / natural.width) * Math.min(window.devicePixelRatio || 1, 2);
  const most = Math.sqrt(MOST_PAGE_PIXELS / (natural.width * natural.height));
  const viewport = page.getViewport({ scale: Math.min(wished, most) });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
  return { drawn: task.promise, stop: () => task.cancel() };
}

/**
 * Lays the text of a page over its picture, where it can be selected, searched and read aloud. The
 * sizes follow `--total-scale-factor` of the container: CSS pixels for each unit of the page.
 * @returns false for a page without text, such as a scan
 */
export async function layText(page: PDFPageProxy, container: HTMLElement): Promise<boolean> {
  const text = await page.getTextContent();
  if (text.items.length === 0 || text.items.length > MOST_PIECES) return false;
  await new TextLayer({ textContentSource: text, container, viewport: page.getViewport({ scale: 1 }) }).render();
  return true;
}
