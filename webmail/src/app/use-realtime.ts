import { type NewEmailEvent, realtimeEvents } from '@selvage/core/contracts/realtime';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Socket } from 'socket.io-client';
import { notify } from '../components/feedback/notify.ts';
import { wordsOf } from '../lib/i18n.ts';
import { freshToken } from '../lib/refresh.ts';
import { realtimeWords } from '../words/realtime.ts';

const RECONNECT_MS = 15_000;

/** Connects once the page is idle, with a token that is fresh at each attempt. */
async function connect(email: string, onNewEmail: (event: NewEmailEvent) => void): Promise<Socket> {
  const { io } = await import('socket.io-client');
  const socket = io({
    path: '/socket.io',
    auth: (give) => {
      // without a token the server refuses, and the next attempt asks again
      freshToken().then(
        (token) => give({ token }),
        () => give({}),
      );
    },
    reconnectionDelayMax: 30_000,
  });
  socket.on('connect', () => socket.emit(realtimeEvents.join, email));
  socket.on(realtimeEvents.newEmail, onNewEmail);
  socket.on('connect_error', () => {
    // a refusal by the server, unlike a lost line, is not tried again by the library
    if (!socket.active) setTimeout(() => !socket.disconnected || socket.connect(), RECONNECT_MS);
  });
  return socket;
}

/** Announces new mail of the signed-in person and brings the lists up to date. */
export function useRealtime(email: string | undefined): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const handler = useRef<(event: NewEmailEvent) => void>(() => undefined);
  handler.current = (event) => {
    void client.invalidateQueries({ queryKey: ['mail'] });
    const t = wordsOf(realtimeWords);
    notify.info(t.newMail({ sender: event.sender_name || event.sender_email }), {
      label: t.open,
      run: () => void navigate(`/dashboard/inbox/${event.entry_id}`),
    });
  };

  useEffect(() => {
    if (!email) return;
    let isOver = false;
    let socket: Socket | null = null;
    const start = async (): Promise<void> => {
      const connected = await connect(email, (event) => handler.current(event));
      if (isOver) connected.disconnect();
      else socket = connected;
    };
    const timer = setTimeout(() => {
      // a chunk that can't be loaded costs only the announcement; lists are polled as well
      start().catch(() => undefined);
    }, 500);
    return () => {
      isOver = true;
      clearTimeout(timer);
      socket?.disconnect();
    };
  }, [email]);
}
