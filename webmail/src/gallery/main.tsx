/*
 * The gallery: every component in every state, for developers of the web app. It is built by
 * vite.gallery.config.ts and is not part of the product. So its texts are in its own files, and the
 * calls of its lists are answered within the page.
 */
import 'virtual:theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { answerInPage } from './fake-server.ts';
import { Gallery } from './Gallery.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
answerInPage();
createRoot(root).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
