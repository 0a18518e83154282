import { type Mill, type MillScene, mills } from './mills.ts';
import { hold } from './settling.ts';

const ORIGIN_PATH = /^\/api\/v1\/gallery\/mills\/(\w+)/;
const ANSWER_MS = 30;

/**
 * Answers the calls of the sample lists inside of the page, in place of a server that the gallery does not have. The product has
 * nothing like it: there, what looks like a server is one.
 */
export function answerInPage(): void {
  const ask = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    const scene = ORIGIN_PATH.exec(url.pathname)?.[1] as MillScene | undefined;
    if (!scene) return await ask(input, init);
    if (scene === 'slow') return await new Promise<Response>(() => undefined);
    const release = hold();
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    release();
    if (scene === 'failing')
      return Response.json({ success: false, message: 'The database is away.' }, { status: 500 });
    return Response.json(
      pageOf(scene === 'none' ? [] : scene === 'three' ? mills.slice(0, 3) : mills, url.searchParams),
    );
  };
}

/** A page of the mills, as `findPage` of the server makes one. */
function pageOf(all: Mill[], query: URLSearchParams) {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)];
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const state = query.get('state');
  const found = all
    .filter((mill) => !state || mill.state === state)
    .filter(({ name, town }) => words.every((word) => `${name} ${town}`.toLowerCase().includes(word)))
    .toSorted(inOrder(query.get('sort') ?? 'name'));
  const pagination = {
    totalData: found.length,
    totalPages: Math.ceil(found.length / limit),
    pageNumber: page,
    pageSize: limit,
  };
  return { success: true, message: '', data: found.slice((page - 1) * limit, page * limit), pagination };
}

function inOrder(sort: string): (a: Mill, b: Mill) => number {
  const name = sort.replace(/^-/, '') as keyof Mill;
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    const [left, right] = [a[name], b[name]];
    return sign * (typeof left === 'number' ? left - Number(right) : left.localeCompare(String(right)));
  };
}
