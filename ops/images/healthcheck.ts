/** `node ops/images/healthcheck.ts <port>`: exits 0 when the process of this container is ready. */
const answer = await fetch(`http://127.0.0.1:${process.argv[2]}/health/ready`).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
