import 'virtual:theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { fetchAhead } from './app/router/fetch-ahead.ts';
import { listenForShortcuts } from './hooks/use-shortcuts.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
fetchAhead(window.location);
listenForShortcuts();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
