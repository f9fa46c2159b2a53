type Random = () => number

/** A way to damage a file; `other` is another file of the collection. */
type Mutator = (bytes: Buffer, random: Random, other: Buffer) => Buffer

const below = (random: Random, limit: number): number => Math.floor(random() * limit)

function partOf(bytes: Buffer, random: Random, longest: number): Buffer {
  const from = below(random, bytes.length)
  return bytes.subarray(from, from + 1 + below(random, longest))
}

function lines(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\n')
}

const interesting = [
  '0',
  '-1',
  '-0',
  'NaN',
  'Inf',
  '+Inf',
  '1e308',
  '1e-320',
  '99999999999999999999',
  '0x10',
  '1,5',
  '1.5.2',
  '',
  'µs',
  '٣',
]

/** The mutators by name. Each keeps the rest of the file byte for byte. */
export const mutators: Readonly<Record<string, Mutator>> = {
  flip: (bytes, random) => {
    const copy = Buffer.from(bytes)
    for (let times = 1 + below(random, 4); times > 0; times -= 1) {
      const at = below(random, copy.length)
      copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8))
    }
    return copy
  },
  cut: (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  behead: (bytes, random) => bytes.subarray(below(random, bytes.length)),
  remove: (bytes, random) => {
    const at = below(random, bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 200))])
  },
  repeat: (bytes, random) => {
    const at = below(random, bytes.length)
    const part = partOf(bytes, random, 300)
    return Buffer.concat([bytes.subarray(0, at), part, part, bytes.subarray(at)])
  },
  splice: (bytes, random, other) => {
    const [at, from] = [below(random, bytes.length), below(random, other.length)]
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from)])
  },
  insert: (bytes, random, other) => {
    const at = below(random, bytes.length)
    return Buffer.concat([bytes.subarray(0, at), partOf(other, random, 500), bytes.subarray(at)])
  },
  number: (bytes, random) => {
    const text = bytes.toString('latin1')
    const found = [...text.matchAll(/\d+(?:\.\d+)?/g)]
    const one = found[below(random, found.length)]
    if (one === undefined) return bytes
    const digits = Array.from({ length: 1 + below(random, 9) }, () => below(random, 10)).join('')
    const instead = random() < 0.5 ? (interesting[below(random, interesting.length)] ?? '') : digits
    return Buffer.from(text.slice(0, one.index) + instead + text.slice(one.index + one[0].length), 'latin1')
  },
  shuffle: (bytes, random) => {
    const all = lines(bytes)
    const [a, b] = [below(random, all.length), below(random, all.length)]
    const [first, second] = [all[a] ?? '', all[b] ?? '']
    all[a] = second
    all[b] = first
    return Buffer.from(all.join('\n'), 'latin1')
  },
  dropLines: (bytes, random) => {
    const all = lines(bytes)
    all.splice(below(random, all.length), 1 + below(random, 3))
    return Buffer.from(all.join('\n'), 'latin1')
  },
  interleave: (bytes, random, other) => {
    const [mine, theirs] = [lines(bytes), lines(other)]
    const at = below(random, mine.length)
    const part = theirs.slice(0, 1 + below(random, 40))
    mine.splice(at, 0, ...part)
    return Buffer.from(mine.join('\n'), 'latin1')
  },
  encode: (bytes, random) => {
    const text = bytes.toString('utf8')
    const way = below(random, 5)
    if (way === 0) return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    if (way === 1) return Buffer.from(`\u{feff}${text}`)
    if (way === 2) return Buffer.from(text.replace(/\n/g, '\r\n'))
    if (way === 3) return Buffer.from(text.replace(/\n/g, '\r'))
    return Buffer.from(text.replace(/^/gm, '> '))
  },
}

/** A file with one to three damages of any kind. */
export function mutate(bytes: Buffer, other: Buffer, random: Random): { readonly bytes: Buffer; readonly how: string } {
  const names = Object.keys(mutators)
  const how: string[] = []
  let damaged = bytes
  for (let times = 1 + below(random, 3); times > 0 && damaged.length > 0; times -= 1) {
    const name = names[below(random, names.length)] ?? 'flip'
    how.push(name)
    damaged = mutators[name]?.(damaged, random, other) ?? damaged
  }
  return { bytes: damaged, how: how.join('+') }
}
