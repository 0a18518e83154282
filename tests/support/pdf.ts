import { deflateSync } from 'node:zlib';

/** Objects of a PDF, numbered from 1. The first is the catalogue. */
function pdfOf(objects: string[], trailer = ''): Buffer {
  let text = '%PDF-1.7\n';
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

const stream = (content: string, dictionary = '') =>
  `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`;

/**
 * A PDF with this many pages. Each has a large black square in its middle, a line in a font that is
 * not in the file, and a picture in a format that needs a decoder. A program that runs scripts
 * would run its script when it opens the file.
 */
export function buildPdf(pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_unused, index) => `${index + 7} 0 R`);
  const draw =
    'q 0 0 0 rg 150 200 100 100 re f Q BT /F1 24 Tf 50 500 Td (Spring yarns) Tj ET q 9 0 0 9 5 5 cm /I1 Do Q';
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`,
    stream(draw),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream(
      'no picture',
      '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode',
    ),
    '<< /Type /Action /S /JavaScript /JS (app.alert\\("run"\\); document.title = 1) >>',
    ...kids.map(
      () =>
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 3 0 R ' +
        '/Resources << /Font << /F1 4 0 R >> /XObject << /I1 5 0 R >> >> >>',
    ),
  ]);
}

/** A PDF that can be opened only with a password. */
export function buildLockedPdf(): Buffer {
  const word = `<${'5a'.repeat(32)}>`;
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${word} /U ${word} /P -4 >> /ID [${word} ${word}]`;
  return pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 0 /Kids [] >>'], encryption);
}

/**
 * A PDF of some 30 KB. Extracting the text of its only page takes many seconds, since its content
 * is compressed a thousandfold. The number makes each file different.
 */
export function buildCostlyPdf(number: number): Buffer {
  const content = deflateSync(`BT /F1 9 Tf ${'[(a)-900(b)-900(c)] TJ T* '.repeat(500_000)} ET % ${number}`, {
    level: 9,
  });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    stream(content.toString('latin1'), '/Filter /FlateDecode'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}
