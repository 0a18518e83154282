import type { EmailDto } from '@selvage/core/contracts/email';
import { describe, expect, it } from 'vitest';
import { endBeside, endsOf } from './conversation-ends.ts';

const received = { received_status: true, send_status: false, returned_at: null, own_folder: null };

function item(_id: string, minute: number, flags: object = {}): object {
  return { _id, createdAt: `2026-11-21T12:0${minute}:00.000Z`, ...received, ...flags };
}

describe('endsOf', () => {
  it('gives the newest message of each folder, by when it came or came back', () => {
    const replies = [
      item('1', 1, { archive_status: true }),
      item('3', 3),
      item('2', 2, { returned_at: '2026-11-21T13:00:00.000Z' }),
      item('4', 4, { received_status: false, send_status: true }),
      item('5', 5, { own_folder: '8' }),
      item('6', 6, { own_folder: '8', archive_status: true }),
    ];
    const email = { ...item('7', 4), replies, twins: [] } as unknown as EmailDto;
    expect(endsOf(email).map(({ _id }) => _id)).toEqual(['2', '6', '4', '5']);
  });

  it('tells messages of one moment apart by their ids', () => {
    const email = { ...item('9', 1), replies: [item('10', 1)], twins: [] } as unknown as EmailDto;
    expect(endsOf(email).map(({ _id }) => _id)).toEqual(['10']);
  });
});

describe('a message that the person has sent and got', () => {
  const replies = [item('2', 2, { received_status: false, send_status: true })];
  const email = { ...item('1', 1), replies, twins: [item('3', 3)] } as unknown as EmailDto;

  it('ends the conversation in both folders', () => {
    expect(endsOf(email).map(({ _id }) => _id)).toEqual(['3', '2']);
  });

  it('is the newest in the folder that has its other copy', () => {
    expect(endBeside(email)).toMatchObject({ newest: { _id: '3' }, number: 2 });
  });
});

describe('endBeside', () => {
  it('gives the newest message in the folder of the open one, and how many are there', () => {
    const replies = [item('1', 1), item('2', 2, { own_folder: '8' }), item('3', 3), item('5', 5, { own_folder: '9' })];
    const email = { ...item('4', 4), replies, twins: [] } as unknown as EmailDto;
    expect(endBeside(email)).toMatchObject({ newest: { _id: '4' }, number: 3 });
    const own = { ...item('4', 1, { own_folder: '8' }), replies, twins: [] } as unknown as EmailDto;
    expect(endBeside(own)).toMatchObject({ newest: { _id: '2' }, number: 2 });
  });

  it('gives the last one of those that have come back from Snoozed together', () => {
    const returned_at = '2026-11-27T08:00:00.000Z';
    const replies = [item('9', 1, { returned_at }), item('10', 2, { returned_at })];
    const email = { ...item('11', 3, { returned_at }), replies, twins: [] } as unknown as EmailDto;
    expect(endBeside(email)).toMatchObject({ newest: { _id: '11' }, number: 3 });
  });
});
