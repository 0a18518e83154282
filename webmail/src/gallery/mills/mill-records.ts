import { type MillDto, millStates } from './contract.ts';

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

function millAt(number: number): MillDto {
  const isLong = number % 23 === 2;
  const suffix = number < names.length ? 'Mills' : `Mills ${Math.floor(number / names.length) + 1}`;
  return {
    _id: String(number + 1),
    name: isLong
      ? `The Honourable Company of Spinners, Doublers and Dyers of the Kongu Country, Unit ${number}`
      : `${names[number % names.length]} ${suffix}`,
    town: isLong ? 'Thiruvananthapuram-Kazhakkoottam' : (towns[number % towns.length] ?? ''),
    spindles: 4_000 + ((number * 7_919) % 60_000),
    state: millStates[number % 7 > 3 ? 0 : number % 4] ?? 'running',
    opened: new Date(Date.UTC(1995, number % 12, 1 + (number % 28))).toISOString(),
  };
}

/** Two hundred mills, some with long names. */
export const mills: MillDto[] = Array.from({ length: 200 }, (_mill, number) => millAt(number));
