/** Messages as remote servers send them, the same at each run. */

interface Sample {
  subject: string;
  id: string;
  lines: string[];
  from?: string;
  to?: string;
  fields?: string[];
}

function message({ subject, id, lines, from, to, fields = [] }: Sample): Buffer {
  const head = [
    `From: ${from ?? 'Rita Remote <rita@remote.test>'}`,
    `To: ${to ?? 'Ana Kept <ana@acme.test>'}`,
    `Subject: ${subject}`,
    'Date: Mon, 02 Nov 2026 10:00:00 +0000',
    `Message-ID: <${id}@remote.test>`,
    'MIME-Version: 1.0',
    ...fields,
  ];
  return Buffer.from([...head, ...lines, ''].join('\r\n'));
}

const plainText = ['Content-Type: text/plain; charset=utf-8', ''];

/** Plain text under a subject. */
export function plainSample(subject: string, id: string, fields: string[] = []): Buffer {
  return message({ subject, id, fields, lines: [...plainText, `This is about: ${subject}.`, '', '-- ', 'Rita'] });
}

/** A message whose sender writes Authentication-Results in the name of the host. */
export function forgedSample(): Buffer {
  const fields = ['Authentication-Results: host.test; dmarc=pass header.from=bank.test'];
  return plainSample('Your account at the bank', 'forged', fields);
}

/** Text in ISO 8859-1 and a subject in an encoded word, as old mail programs write them. */
export function latinSample(): Buffer {
  const lines = ['Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: quoted-printable', ''];
  const subject = '=?iso-8859-1?Q?Gr=FC=DFe_aus_K=F6ln?=';
  return message({ subject, id: 'latin', lines: [...lines, 'Sch=F6ne Gr=FC=DFe, bis n=E4chste Woche!'] });
}

/** HTML with a picture of its own, its text as plain text, and two files. */
export function multipartSample(): Buffer {
  const picture = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0!\xf9\x04\x01\0\0\0\0,', 'latin1');
  const report = Buffer.from(Array.from({ length: 6000 }, (_, n) => (n * n * 31 + n * 7) % 251));
  const lines = [
    'Content-Type: multipart/mixed; boundary=outer',
    '',
    'This is for mail programs of long ago.',
    '--outer',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    ...plainText,
    'The numbers of October 📈 are attached.',
    '--inner',
    'Content-Type: multipart/related; boundary=shown',
    '',
    '--shown',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>The <b>numbers</b> of October 📈 are attached.</p><img src="cid:dot@remote.test" alt="dot">',
    '<script>alert(1)</script><img src="https://remote.test/pixel.gif">',
    '--shown',
    ...filePart('image/gif', 'dot.gif', picture, 'Content-ID: <dot@remote.test>'),
    '--shown--',
    '--inner--',
    '--outer',
    ...filePart('text/csv', 'rows.csv', Buffer.from('month,sum\n2026-10,1200.50\n')),
    '--outer',
    ...filePart(
      'application/octet-stream',
      'b.bin"; filename*=utf-8\'\'Bericht%20%C3%BCber%20Oktober.bin; x="',
      report,
    ),
    '--outer--',
  ];
  const to = 'Ana Kept <ana@acme.test>, bob@acme.test';
  return message({ subject: 'Numbers of October 📈', id: 'multipart', to, lines });
}

function filePart(type: string, name: string, content: Buffer, ...fields: string[]): string[] {
  const lines = content.toString('base64').match(/.{1,76}/g) ?? [];
  const place = fields.length > 0 ? 'inline' : 'attachment';
  const head = [`Content-Type: ${type}`, `Content-Disposition: ${place}; filename="${name}"`];
  return [...head, 'Content-Transfer-Encoding: base64', ...fields, '', ...lines];
}
