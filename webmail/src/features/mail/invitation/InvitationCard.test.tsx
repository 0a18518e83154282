import type { EmailDto } from '@selvage/core/contracts/email';
import type { InvitationDto } from '@selvage/core/contracts/invitations';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../../../test/render.tsx';
import InvitationCard from './InvitationCard.tsx';

const email = { _id: '5', sender_name: 'Ben', sender_email: 'ben@x.test' } as EmailDto;
const ben = { name: 'Ben', address: 'ben@x.test' };

function open(more: Partial<InvitationDto>, from = email): void {
  const invitation: InvitationDto = {
    method: 'request',
    title: 'Yarn fair',
    where: '',
    start: null,
    end: null,
    recurrence: null,
    is_one_date: false,
    is_update: false,
    organiser: ben,
    is_from_speaker: true,
    attendees: [{ ...ben, answer: 'declined', is_optional: false, is_me: false }],
    attendee_count: 1,
    may_answer: false,
    answer: null,
    is_outdated: false,
    file_path: '/file',
    ...more,
  };
  show(<InvitationCard email={from} invitation={invitation} />);
}

describe('an invitation that is about one date', () => {
  const oneDate = 'This is about one date of an event that repeats.';

  it('says so where it asks and where it answers', () => {
    open({ is_one_date: true });
    expect(screen.getByText(oneDate)).toBeTruthy();
    open({ is_one_date: true, method: 'reply' });
    expect(screen.getByText('Ben has declined.')).toBeTruthy();
    expect(screen.getAllByText(oneDate)).toHaveLength(2);
  });

  it('calls off no more than that date', () => {
    open({ is_one_date: true, method: 'cancel' });
    expect(screen.getByText('The organiser has called off one date of an event that repeats.')).toBeTruthy();
    open({ method: 'cancel' });
    expect(screen.getAllByText('The organiser has called this event off.')).toHaveLength(1);
  });
});

describe('an invitation in the name of another person than its sender', () => {
  const stranger = { ...email, sender_email: 'eve@evil.test' };

  it('calls nothing off for the organiser', () => {
    open({ method: 'cancel', is_from_speaker: false }, stranger);
    expect(screen.queryByText('The organiser has called this event off.')).toBeNull();
    expect(screen.queryByText('Cancelled event')).toBeNull();
    expect(
      screen.getByText('eve@evil.test says that this event is called off. That is not the organiser’s address.'),
    ).toBeTruthy();
  });

  it('says from whom an answer came', () => {
    open({ method: 'reply', is_from_speaker: false }, stranger);
    const said = 'This came from eve@evil.test, and not from the address of the person who is invited: ben@x.test.';
    expect(screen.getByText(said)).toBeTruthy();
  });
});
