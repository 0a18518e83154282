import 'virtual:theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { fetchAhead } from './app/router/fetch-ahead.ts';
import { configureZod } from './lib/configure-zod.ts';
import { rememberKeys } from './lib/early-key.ts';
import { watchPerson } from './lib/forget.ts';
import { watchFailedImports } from './lib/load-module.ts';
import { watchFaults } from './lib/report-fault.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
configureZod();
watchFaults();
watchFailedImports();
watchPerson();
fetchAhead(window.location);
rememberKeys();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
