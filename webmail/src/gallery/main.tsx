/*
 * The gallery: every piece of the kit in every state, for those who work on it. It is built by
 * vite.gallery.config.ts and is no part of the product, so its texts stand here, and what its lists
 * call is answered inside of the page.
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
