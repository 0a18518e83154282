/** An attribute of a TNEF stream: level, id, data. */
export function attribute(level: 1 | 2, id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(level);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(data.length, 5);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(data.reduce((all, byte) => (all + byte) & 0xffff, 0));
  return Buffer.concat([head, data, sum]);
}

/** A stream of attributes. */
export function tnefOf(attributes: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('789f3e220100', 'hex'), ...attributes]);
}

/** A list of properties: type, id, and a value of a type of any length. */
export function propertiesOf(properties: [type: number, id: number, value: Buffer][]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(properties.length);
  const parts = properties.map(([type, id, value]) => {
    const head = Buffer.alloc(12);
    head.writeUInt16LE(type);
    head.writeUInt16LE(id, 2);
    head.writeUInt32LE(1, 4);
    head.writeUInt32LE(value.length, 8);
    return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
  });
  return Buffer.concat([count, ...parts]);
}

/** The attributes of a file with its bytes and an old name, and further properties. */
export function fileOf(name: string, content: Buffer, properties: [number, number, Buffer][] = []): Buffer[] {
  return [
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${name}\0`)),
    attribute(2, 0x0006800f, content),
    ...(properties.length > 0 ? [attribute(2, 0x00069005, propertiesOf(properties))] : []),
  ];
}
