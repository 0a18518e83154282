import { maxClientErrorBytes, reportClientError } from '@selvage/core/contracts/client-errors';
import { api } from './api.ts';
import { ApiError } from './api-error.ts';
import { isMissingPart } from './load-module.ts';
import { ownVersion } from './web-version.ts';

const MOST_A_PAGE = 5;
const LONGEST_MESSAGE = 500;
/** Of a fault that comes again and again the server hears once. */
const reported = new Set<string>();

/** Errors whose own words quote what was read: it may be a mail. */
const QUOTING = new Set(['SyntaxError']);
/** Browsers say so when an observer's work takes longer than a frame. Nothing is broken. */
const HARMLESS = /ResizeObserver loop|^Script error\.?$/;

/**
 * Tells the server that the app broke, so that its operator hears of it before a person complains. Sends the fault's own
 * words and the address of the screen, never what the screen shows. At most a few times for each opening of the app.
 */
export function reportFault(fault: unknown): void {
  if (!isFault(fault) || reported.size >= MOST_A_PAGE) return;
  const { message, stack } = wordsOfFault(fault);
  const key = `${message}\n${stack.split('\n')[1] ?? ''}`;
  if (HARMLESS.test(message) || reported.has(key)) return;
  reported.add(key);
  const body = shortened({ message, stack, path: window.location.pathname, version: ownVersion() ?? '' });
  // a fault that cannot be reported is not worth a second one
  api(reportClientError, { body, keepalive: true }).catch(() => undefined);
}

/** A file that is gone, a call that failed, or one that was taken back is no fault of the app. */
function isFault(fault: unknown): boolean {
  const isTakenBack = fault instanceof DOMException && fault.name === 'AbortError';
  return !isMissingPart(fault) && !(fault instanceof ApiError) && !isTakenBack;
}

function wordsOfFault(fault: unknown): { message: string; stack: string } {
  if (!(fault instanceof Error)) return { message: String(fault).slice(0, LONGEST_MESSAGE), stack: '' };
  const message = QUOTING.has(fault.name) ? fault.name : `${fault.name}: ${fault.message}`;
  // a stack begins with the message in some browsers; the places are what is wanted
  const places = (fault.stack ?? '').split('\n').filter((line) => /:\d+:\d+/.test(line));
  return { message: message.slice(0, LONGEST_MESSAGE), stack: [message, ...places].join('\n') };
}

interface Report {
  message: string;
  stack: string;
  path: string;
  version: string;
}

/** The report as large as the server takes it. */
function shortened(report: Report): Report {
  const bytes = new TextEncoder().encode(JSON.stringify(report)).length;
  if (bytes <= maxClientErrorBytes || report.stack === '') return report;
  return shortened({ ...report, stack: report.stack.slice(0, Math.floor(report.stack.length / 2)) });
}

/** Reports what nothing else catches. Faults of browser extensions are theirs. */
export function watchFaults(): void {
  window.addEventListener('error', ({ error, message, filename }) => {
    const isOwn = filename === '' || filename.startsWith(window.location.origin);
    if (isOwn) reportFault(error ?? message);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => reportFault(reason));
}
