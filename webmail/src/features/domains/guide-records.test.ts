import type { SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import { describe, expect, it } from 'vitest';
import { mailOf } from './guide-records.ts';

const record = { type: 'TXT', name: 'mill.test', content: 'v=spf1 mx -all' };
const spf = { number: 5, name: 'spf', state: 'waiting', record, details: '' } as const;
const host = { type: 'A', name: 'mx.test', content: '192.0.2.1' };
const ownName = { number: 3, name: 'a', state: 'waiting', record: host, details: '' } as const;
const policy = { type: 'TXT', name: '_mta-sts.mill.test', content: 'v=STSv1; id=1' };
const sts = { name: 'sts', state: 'unknown', record: policy, details: '' } as const;

function guideWith(changes: Partial<SetupGuideDto>): SetupGuideDto {
  return { domain_id: '1', domain: 'mill.test', done: false, steps: [], extras: [], zone_file: '', ...changes };
}

describe('the mail to the people who keep the DNS', () => {
  it('lists what is to be added, and nothing that the provider adds', () => {
    expect(mailOf(guideWith({ steps: [ownName, spf], extras: [sts] }))).toEqual({
      subject: 'DNS records for mill.test',
      text: `Please add these records to the DNS of mill.test, so that its mail arrives:

SPF record
Record name: mill.test
Type: TXT
Value: v=spf1 mx -all
If an SPF record is there already, change that one: a domain has one.

These are recommended as well, for mail programs and other servers:

Encryption policy (MTA-STS)
Record name: _mta-sts.mill.test
Type: TXT
Value: v=STSv1; id=1
`,
    });
  });

  it('names the domain where only recommended records are left', () => {
    const mail = mailOf(guideWith({ steps: [{ ...spf, state: 'done' }], extras: [sts] }));
    expect(mail?.text).toMatch(/^Please add these records to the DNS of mill\.test\. They are recommended .*\n\nEnc/);
  });

  it('is not there when nothing is left, or what is left has no record yet', () => {
    const dkim = { ...spf, name: 'dkim', record: null } as const;
    expect(mailOf(guideWith({ steps: [{ ...spf, state: 'done' }, dkim, ownName] }))).toBeNull();
  });
});
