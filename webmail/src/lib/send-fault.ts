import { maxClientErrorBytes, reportClientError } from '@selvage/core/contracts/client-errors';
import { api } from './api.ts';
import { ApiError } from './api-error.ts';
import { isMissingPart } from './load-module.ts';
import { ownVersion } from './web-version.ts';

const MOST_A_PAGE = 5;
const LONGEST_MESSAGE = 500;
/** Faults that were reported already. A fault that is repeated is reported once. */
const reported = new Set<string>();

/** Errors whose message quotes what was parsed, which may be a mail. */
const QUOTING = new Set(['SyntaxError']);
/** Browsers report this when the work of an observer takes longer than a frame. It is harmless. */
const HARMLESS = /ResizeObserver loop|^Script error\.?$/;

/**
 * Sends what is to be known of a fault: its message and the address of the screen, never what the
 * screen shows, and at most a few reports for each opening of the app.
 */
export function sendFault(fault: unknown, path: string): void {
  if (!isFault(fault) || reported.size >= MOST_A_PAGE) return;
  const { message, stack } = wordsOfFault(fault);
  const key = `${message}\n${stack.split('\n')[1] ?? ''}`;
  if (HARMLESS.test(message) || reported.has(key)) return;
  reported.add(key);
  const body = shortened({ message, stack, path, version: ownVersion() ?? '' });
  // A failed report is not reported again
  api(reportClientError, { body, keepalive: true }).catch(() => undefined);
}

/** A missing file and a failed or cancelled call are not faults of the app. */
function isFault(fault: unknown): boolean {
  const isTakenBack = fault instanceof DOMException && fault.name === 'AbortError';
  return !isMissingPart(fault) && !(fault instanceof ApiError) && !isTakenBack;
}

function wordsOfFault(fault: unknown): { message: string; stack: string } {
  if (!(fault instanceof Error)) return { message: String(fault).slice(0, LONGEST_MESSAGE), stack: '' };
  const message = QUOTING.has(fault.name) ? fault.name : `${fault.name}: ${fault.message}`;
  // In some browsers a stack begins with the message. Only the places are kept
  const places = (fault.stack ?? '').split('\n').filter((line) => /:\d+:\d+/.test(line));
  return { message: message.slice(0, LONGEST_MESSAGE), stack: [message, ...places].join('\n') };
}

interface Report {
  message: string;
  stack: string;
  path: string;
  version: string;
}

/** The report, shortened to what the server accepts. */
function shortened(report: Report): Report {
  const bytes = new TextEncoder().encode(JSON.stringify(report)).length;
  if (bytes <= maxClientErrorBytes || report.stack === '') return report;
  return shortened({ ...report, stack: report.stack.slice(0, Math.floor(report.stack.length / 2)) });
}
