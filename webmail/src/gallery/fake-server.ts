import { createMill, listMills, type MillDto, removeMill } from './mills/contract.ts';
import { mills } from './mills/mill-records.ts';
import { type MillScene, millScenes } from './mills/scenes.ts';
import { hold } from './settling.ts';

const API = '/api/v1';
const ANSWER_MS = 30;

/** The mills of each scene. Only those of `live` can be added and deleted. */
const stored: Record<MillScene, MillDto[]> = {
  live: mills.slice(0, 28),
  none: [],
  three: mills.slice(0, 3),
  many: mills,
  slow: [],
  failing: [],
};

/**
 * Answers the calls of the sample lists within the page, since the gallery has no server. Only the
 * gallery does this. In the product, all answers come from a real server.
 */
export function answerInPage(): void {
  const ask = window.fetch.bind(window);
  window.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    const answer = answerFor(url, init);
    if (!answer) return await ask(input, init);
    const release = hold();
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    release();
    return await answer();
  };
}

function answerFor(
  { pathname, searchParams }: URL,
  { body }: RequestInit,
): (() => Response | Promise<Response>) | null {
  const path = pathname.replace(API, '');
  const scene = millScenes.find((one) => path === `${listMills.path}/${one}`);
  if (scene) return () => listed(scene, searchParams);
  if (path === createMill.path) return () => added(JSON.parse(String(body)) as NewMill);
  const removed = removeMill.path.replace(':id', '');
  return path.startsWith(removed) ? () => deleted(path.slice(removed.length)) : null;
}

function listed(scene: MillScene, query: URLSearchParams): Response | Promise<Response> {
  if (scene === 'slow') return new Promise(() => undefined);
  if (scene !== 'failing') return Response.json(pageOf(stored[scene], query));
  return Response.json({ success: false, message: 'The database is away.' }, { status: 500 });
}

type NewMill = Pick<MillDto, 'name' | 'town' | 'spindles'>;

function added(body: NewMill): Response {
  const mill: MillDto = {
    ...body,
    _id: String(Date.now()),
    state: 'starting',
    opened: new Date().toISOString(),
  };
  stored.live = [...stored.live, mill];
  return Response.json({ success: true, message: '', data: mill });
}

function deleted(id: string): Response {
  stored.live = stored.live.filter((mill) => mill._id !== id);
  return Response.json({ success: true, message: '' });
}

/** A page of the mills, as the server's `findPage` returns one. */
function pageOf(all: MillDto[], query: URLSearchParams) {
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

function inOrder(sort: string): (a: MillDto, b: MillDto) => number {
  const name = sort.replace(/^-/, '') as keyof MillDto;
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    const [left, right] = [a[name], b[name]];
    return sign * (typeof left === 'number' ? left - Number(right) : left.localeCompare(String(right)));
  };
}
