/** A ustar header that claims any size and type. */
export function tarHeader(name: string, sizeBytes: number, type = '0'): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000644\0'.padEnd(24, '0'), 100)
  header.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`00000000000\0        ${type}`, 136)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((before, byte) => before + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
