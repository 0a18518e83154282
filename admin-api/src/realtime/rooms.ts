/** Rooms of the websocket: each open window is in that of its session, and of its person. */
export const userRoom = (userId: string): string => `user:${userId}`;
export const sessionRoom = (key: string): string => `session:${key}`;

export const isUserRoom = (room: string): boolean => room.startsWith(userRoom(''));
