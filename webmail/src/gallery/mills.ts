import { endpoint } from '@selvage/core/contracts/endpoint';
import { asList } from '@selvage/core/contracts/list';
import { z } from 'zod';
import type { StateKind } from '../components/StateWord.tsx';

/** A record to list: a spinning mill. */
export interface Mill {
  _id: string;
  name: string;
  town: string;
  spindles: number;
  state: keyof typeof millStates;
  opened: string;
}

export const millStates = {
  running: { word: 'Running', kind: 'good' },
  starting: { word: 'Starting', kind: 'waiting' },
  stopped: { word: 'Stopped', kind: 'bad' },
  sold: { word: 'Sold', kind: 'quiet' },
} as const satisfies Record<string, { word: string; kind: StateKind }>;

const state = z.enum(['running', 'starting', 'stopped', 'sold']);

const mill: z.ZodType<Mill> = z.object({
  _id: z.string(),
  name: z.string(),
  town: z.string(),
  spindles: z.number(),
  state,
  opened: z.string(),
});

/** What the sample list's server does: how many mills it has, or how it fails. */
export type MillScene = 'none' | 'three' | 'many' | 'slow' | 'failing';

/** The call of a sample list, as a contract of the product would describe it. */
export const listMills = (scene: MillScene) =>
  endpoint({
    method: 'GET',
    path: `/gallery/mills/${scene}`,
    summary: 'The mills',
    needs: 'public',
    ...asList({
      sort: ['name', 'town', 'spindles', 'opened'],
      defaultSort: 'name',
      filters: { state: state.optional() },
    }),
    answer: z.array(mill),
  });

const names = [
  'Ambika Cotton',
  'Bannari',
  'Coats',
  'Eveready',
  'Loyal Textile',
  'Precot',
  'Sri Ramakrishna',
  'Vardhman',
];
const towns = ['Coimbatore', 'Tiruppur', 'Dindigul', 'Erode', 'Rajapalayam'];

function millAt(number: number): Mill {
  const isLong = number % 23 === 2;
  const suffix = number < names.length ? 'Mills' : `Mills ${Math.floor(number / names.length) + 1}`;
  return {
    _id: String(number + 1),
    name: isLong
      ? `The Honourable Company of Spinners, Doublers and Dyers of the Kongu Country, Unit ${number}`
      : `${names[number % names.length]} ${suffix}`,
    town: isLong ? 'Thiruvananthapuram-Kazhakkoottam' : (towns[number % towns.length] ?? ''),
    spindles: 4_000 + ((number * 7_919) % 60_000),
    state: Object.keys(millStates)[number % 7 > 3 ? 0 : number % 4] as Mill['state'],
    opened: new Date(Date.UTC(1995, number % 12, 1 + (number % 28))).toISOString(),
  };
}

export const mills: Mill[] = Array.from({ length: 200 }, (_mill, number) => millAt(number));
