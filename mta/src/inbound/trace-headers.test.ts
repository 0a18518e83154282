import { describe, expect, it } from 'vitest';
import { newMailId } from '@selvage/core/mail/mail-id';
import { traceHeaders } from './trace-headers.ts';

const arrival = {
  ip: '192.0.2.1',
  helo: 'mx.a.test',
  isExtended: true,
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
  hostname: 'mx.here.test',
  mailId: 'id1',
  from: 'a@a.test',
  recipients: ['ana@here.test'],
  authenticationResults: 'Authentication-Results: mx.here.test; spf=pass\r\n',
  date: new Date('2026-11-21T10:00:00Z'),
};

describe('traceHeaders', () => {
  it('names the peer, the protocol and the recipient', () => {
    expect(traceHeaders(arrival)).toBe(
      'Return-Path: <a@a.test>\r\nAuthentication-Results: mx.here.test; spf=pass\r\n' +
        'Received: from mx.a.test ([192.0.2.1])\r\n\tby mx.here.test with ESMTPS id id1 (TLSv1.3 TLS_AES_256_GCM_SHA384)\r\n' +
        '\tfor <ana@here.test>;\r\n\tSat, 21 Nov 2026 10:00:00 +0000\r\n',
    );
  });

  it('names no recipient when there are several', () => {
    expect(traceHeaders({ ...arrival, recipients: ['a@here.test', 'b@here.test'] })).not.toContain('for <');
  });

  it('lets the peer add no header line', () => {
    const lines = traceHeaders({ ...arrival, helo: 'x\r\nBcc: y', from: 'a\r\nTo: b@c' }).split('\r\n');
    expect(lines.filter((line) => /^(Bcc|To):/.test(line))).toEqual([]);
  });
});

describe('newMailId', () => {
  it('is short and sorts by time', () => {
    const [early, late] = [newMailId(1_000_000), newMailId(1_000_001)];
    expect(early).toMatch(/^[0-9a-z]{20}$/);
    expect(early < late).toBe(true);
  });
});
