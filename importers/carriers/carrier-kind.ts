import { ImportError } from '../../lib/errors'

/** How an upload's bytes hold a tool's output. `plain`: they are the output, or no carrier was recognised. */
export type CarrierKind = 'plain' | 'gzip' | 'zstd' | 'xz' | 'bzip2' | '7z' | 'zip' | 'tar'

/** Bytes that `findCarrier` needs (all of them if there are fewer). */
export const carrierHeadBytes = 512

const magics: readonly (readonly [kind: CarrierKind, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
]

/** The carrier by its first bytes, never by a name. */
export function findCarrier(head: Uint8Array): CarrierKind {
  const found = magics.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))
  if (found?.[0] === 'bzip2') return head[4] === 0x31 && head[5] === 0x41 ? 'bzip2' : 'plain'
  return found?.[0] ?? (isTarHeader(head) ? 'tar' : 'plain')
}

/** A tar of any age: the checksum of its first header is correct (old ones have no magic number). */
function isTarHeader(head: Uint8Array): boolean {
  if (head.length < 512 || head[0] === 0) return false
  const written = /^[ \0]*([0-7]{1,7})[ \0]*$/.exec(String.fromCharCode(...head.subarray(148, 156)))?.[1]
  if (written === undefined) return false
  let sum = 8 * 0x20 // the field itself counts as blanks
  for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sum += head[at] ?? 0
  return sum === Number.parseInt(written, 8)
}

const commands: Readonly<Partial<Record<CarrierKind, string>>> = {
  zstd: 'zstd -d FILE',
  xz: 'xz -d FILE',
  bzip2: 'bzip2 -d FILE',
  '7z': '7z x FILE',
  gzip: 'gunzip FILE',
  zip: 'unzip FILE',
  tar: 'tar -xf FILE',
}

/** The error for a carrier that is not unpacked here, with the command that unpacks it. */
export function refuseCarrier(kind: Exclude<CarrierKind, 'plain'>): ImportError {
  return new ImportError('unknown-format', `this is ${kind === 'xz' ? 'an' : 'a'} ${kind} file, which is not read`, {
    offset: 0,
    hint: `Unpack it (${commands[kind]}) and upload its content.`,
  })
}

/** The error for a carrier within a carrier (a tar in a gzip is not one). */
export function refuseNested(inner: Exclude<CarrierKind, 'plain'>, outer: CarrierKind | 'archive'): ImportError {
  return new ImportError(
    'unknown-format',
    `${inner === 'xz' ? 'an' : 'a'} ${inner} file in ${outer === 'archive' ? 'an archive' : `a ${outer} file`} is not read`,
    {
      offset: 0,
      hint: `Unpack it (${commands[inner]}) and upload its content.`,
    },
  )
}
