// The part of pdf.js that reads files, as a worker of our origin
import 'pdfjs-dist/build/pdf.worker.min.mjs';
