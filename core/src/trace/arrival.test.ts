import { describe, expect, it } from 'vitest';
import { arrivalOf } from './arrival.ts';

const received = (from: string, rest: string) =>
  `Return-Path: <a@remote.test>\r\nAuthentication-Results: host.test;\r\n\tspf=none\r\n` +
  `Received: from ${from}\r\n\tby host.test with ${rest};\r\n\tMon, 23 Nov 2026 10:00:00 +0000\r\n`;

describe('how a message arrived', () => {
  it('is read from the line of the door', () => {
    expect(arrivalOf(received('mx.remote.test ([192.0.2.7])', 'ESMTPS id abc (TLSv1.3 TLS_AES)'))).toEqual({
      helo: 'mx.remote.test',
      address: '192.0.2.7',
      protocol: 'ESMTPS',
      isEncrypted: true,
      tls: 'TLSv1.3 TLS_AES',
    });
    expect(arrivalOf(received('x ([IPv6:2001:db8::1])', 'SMTP id abc\r\n\tfor <b@host.test>'))).toEqual({
      helo: 'x',
      address: '2001:db8::1',
      protocol: 'SMTP',
      isEncrypted: false,
      tls: null,
    });
  });

  it('knows the people of this host, and is unknown for what the host wrote', () => {
    const line = 'Received: by host.test with HTTPS id abc;\r\n\tMon, 23 Nov 2026 10:00:00 +0000\r\n';
    expect(arrivalOf(line)).toMatchObject({ helo: null, address: null, isEncrypted: true, protocol: 'HTTPS' });
    expect(arrivalOf('Return-Path: <>\r\n')).toBeNull();
    expect(arrivalOf('')).toBeNull();
  });
});
