// How a person likes the web app to be, on all of their devices.

export const statements = ['ALTER TABLE users ADD COLUMN choices JSON'];
