/**
 * `./ops/bench/first-visit`: opens pages as a new visitor would and prints the requests, bytes and
 * time that this takes. Ends with status 1 when a limit is exceeded.
 */
import { encodePassword } from '@selvage/core/contracts/fields';
import { loadConfig } from '@selvage/core/process/config';
import { createRedis } from '@selvage/core/process/create-redis';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { print, printError } from '../../ops/print.ts';
import { findChromium, quietChromium } from '../support/chromium.ts';

/** The most requests before the login form can be used. More would be noticeable on a slow line. */
const MOST_LOGIN_REQUESTS = 15;
/** The most scripts that the login page prefetches on a fast line. */
const MOST_NEXT_SCRIPTS = 12;
/** The longest time from the arrival of the page to its first content, on the slow line. */
const LATEST_PAINT_MS = 1_000;

const url = process.env['SELVAGE_URL'] ?? 'http://localhost:8080';
const rounds = Number(process.env['ROUNDS'] ?? 3);
const [email = '', password = ''] = process.argv.slice(2);

const lines = {
  fast: null,
  slow: { offline: false, latency: 300, downloadThroughput: 200_000, uploadThroughput: 93_750 },
} as const;
type Line = keyof typeof lines;

interface Visit {
  name: string;
  path: string;
  /** A selector that matches once the page can be used. */
  usable: string;
  auth?: string;
}

interface Cost {
  /** Requests until the page can be used. */
  requests: number;
  kilobytes: number;
  /**
   * Milliseconds from the start of the visit until the page has arrived, something is painted, and
   * it can be used.
   */
  html: number;
  paint: number;
  usable: number;
  /** The totals, once the page fetches nothing more. */
  allRequests: number;
  allKilobytes: number;
  /** Scripts that the page requested after it could be used. */
  nextScripts: number;
}

interface Answer {
  token: string;
  refreshToken: string;
  expires_in: number;
  data?: { _id: string }[];
}

async function call(path: string, options: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Logs in. The answer of the captcha is read from Redis. */
async function signIn(): Promise<Answer> {
  const { captcha_token } = (await (await fetch(`${url}/api/v1/captcha`)).json()) as { captcha_token: string };
  const redis = createRedis(loadConfig(), { role: 'worker' });
  const captcha_text = await redis.get(`captcha:${captcha_token}`);
  redis.disconnect();
  const answer = await call('/user/login', {
    method: 'POST',
    body: JSON.stringify({ email, password: encodePassword(password), captcha_token, captcha_text }),
  });
  if (!answer.refreshToken) throw new Error('the person has a second factor, or too many sessions');
  return answer;
}

interface Fetched {
  /** Milliseconds since 1970. */
  askedAt: number;
  isScript: boolean;
  /** The bytes on the wire; 0 before the answer has arrived. */
  bytes: number;
}

/** Records what the browser fetches, and when. */
class Traffic {
  readonly #fetched = new Map<string, Fetched>();

  constructor(session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, request, wallTime, type }) => {
      if (request.url.startsWith('data:')) return;
      this.#fetched.set(requestId, { askedAt: wallTime * 1000, isScript: type === 'Script', bytes: 0 });
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const fetched = this.#fetched.get(requestId);
      if (fetched) fetched.bytes = encodedDataLength;
    });
  }

  /** The requests that began between two moments. */
  between(from: number, to: number): { requests: number; kilobytes: number; scripts: number } {
    const found = [...this.#fetched.values()].filter(({ askedAt }) => askedAt >= from && askedAt < to);
    return {
      requests: found.length,
      kilobytes: found.reduce((sum, { bytes }) => sum + bytes, 0) / 1024,
      scripts: found.filter(({ isScript }) => isScript).length,
    };
  }
}

async function measure(browser: Browser, visit: Visit, line: Line): Promise<Cost> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    if (visit.auth) {
      await context.addInitScript((stored) => {
        localStorage.setItem('selvage.auth', stored);
      }, visit.auth);
    }
    return await measurePage(await context.newPage(), visit, line);
  } finally {
    await context.close();
  }
}

/**
 * Runs in the page: records when the element that makes the page usable appears. Polling from
 * outside the page would be too late.
 */
const NOTE_USABLE = (selector: string) => `new MutationObserver((_changes, observer) => {
  if (!document.querySelector(${JSON.stringify(selector)})) return;
  observer.disconnect();
  window.usableAfter = performance.now();
}).observe(document, { childList: true, subtree: true });`;

/**
 * Runs in the page: when the visit began, when the page had arrived, when something was first
 * painted, and when it could be used.
 */
const READ_TIMES = `[
  performance.timeOrigin,
  performance.getEntriesByType('navigation')[0]?.responseEnd ?? 0,
  performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  window.usableAfter,
]`;

async function measurePage(page: Page, visit: Visit, line: Line): Promise<Cost> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  if (lines[line]) await session.send('Network.emulateNetworkConditions', lines[line]);
  await page.addInitScript(NOTE_USABLE(visit.usable));
  const traffic = new Traffic(session);
  await page.goto(`${url}${visit.path}`, { waitUntil: 'commit' });
  await page.locator(visit.usable).first().waitFor({ state: 'attached', timeout: 60_000 });
  await page.waitForLoadState('networkidle', { timeout: 60_000 });
  const [began = 0, html = 0, paint = 0, usable = 0] = await page.evaluate<number[]>(READ_TIMES);
  const first = traffic.between(0, began + usable);
  const next = traffic.between(began + usable, Number.POSITIVE_INFINITY);
  return {
    requests: first.requests,
    kilobytes: first.kilobytes,
    html,
    paint,
    usable,
    allRequests: first.requests + next.requests,
    allKilobytes: first.kilobytes + next.kilobytes,
    nextScripts: next.scripts,
  };
}

function median(costs: Cost[]): Cost {
  const names = Object.keys(costs[0] ?? {}) as (keyof Cost)[];
  const middle = (name: keyof Cost) =>
    costs.map((cost) => cost[name]).toSorted((a, b) => a - b)[costs.length >> 1] ?? 0;
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as unknown as Cost;
}

function printCost(name: string, line: Line, cost: Cost): void {
  const number = (value: number, width: number) => value.toFixed(0).padStart(width);
  const until = `${number(cost.requests, 3)} requests ${number(cost.kilobytes, 4)} KB`;
  const times = `page ${number(cost.html, 5)} ms  paint ${number(cost.paint, 5)} ms  usable ${number(cost.usable, 5)} ms`;
  const all = `then ${number(cost.nextScripts, 2)} scripts, in all ${number(cost.allRequests, 3)} requests ${number(cost.allKilobytes, 4)} KB`;
  print(`${name.padEnd(8)} ${line}  ${until}  ${times}   ${all}`);
}

function problemsOf(name: string, line: Line, { requests, paint, html, nextScripts }: Cost): string[] {
  const isLogin = name === 'login';
  const problems: [isThere: boolean, text: string][] = [
    [isLogin && requests > MOST_LOGIN_REQUESTS, `more than ${MOST_LOGIN_REQUESTS} requests`],
    [
      isLogin && line === 'fast' && nextScripts > MOST_NEXT_SCRIPTS,
      `more than ${MOST_NEXT_SCRIPTS} scripts fetched ahead`,
    ],
    [isLogin && line === 'slow' && nextScripts > 0, 'scripts fetched ahead on a slow line'],
    [line === 'slow' && paint - html > LATEST_PAINT_MS, 'nothing painted within a second'],
  ];
  return problems.flatMap(([isThere, text]) => (isThere ? [`${name}, ${line}: ${text}`] : []));
}

const { token, refreshToken, expires_in } = await signIn();
const headers = { authorization: `Bearer ${token}` };
const { data = [] } = await call('/mail/get/sent/by_user?received_status=true&limit=1', { headers });
const [newest] = data;
if (!newest) throw new Error('the inbox is empty');
const stored = Buffer.from(JSON.stringify({ token, refreshToken, expires_in, at: Date.now() })).toString('base64');
const auth = [...stored].reverse().join('');
const visits: Visit[] = [
  {
    name: 'login',
    path: '/auth/sign-in',
    usable: 'form input[name="email"]',
  },
  { name: 'inbox', path: '/dashboard/inbox', usable: 'main li a', auth },
  {
    name: 'message',
    path: `/dashboard/inbox/${newest._id}`,
    usable: 'main iframe',
    auth,
  },
];

const browser = await chromium.launch({ executablePath: findChromium(), args: quietChromium });
const problems: string[] = [];
for (const line of Object.keys(lines) as Line[]) {
  for (const visit of visits) {
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push(await measure(browser, visit, line));
    const cost = median(costs);
    printCost(visit.name, line, cost);
    problems.push(...problemsOf(visit.name, line, cost));
  }
}
await browser.close();
await call('/user/logout', { method: 'POST', headers, body: '{}' });
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
