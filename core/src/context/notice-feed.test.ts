import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { createRedis } from '../process/create-redis.ts';
import { noticeFeed } from './notice-feed.ts';

it.each(['{"user', 'null', '[null]'])('goes on hearing notices after one that says %s', async (damaged) => {
  const app = await testApp();
  const name = `feed-${randomUUID()}`;
  const feed = noticeFeed<{ id: number }>(name);
  const subscriber = createRedis(app.config, { role: 'worker' });
  onTestFinished(() => subscriber.disconnect());
  const heard: number[] = [];
  await feed.hear(subscriber, (notices) => {
    for (const { id } of notices) heard.push(id);
  });
  await app.redis.publish(`${name}:${app.redis.options.db ?? 0}`, damaged);
  feed.announce(app, [{ id: 1 }]);
  await until('the next notice is heard', () => heard.length > 0);
  expect(heard).toEqual([1]);
});
