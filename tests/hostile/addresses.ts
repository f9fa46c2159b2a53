import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Every GET address, as the folders of `app` name it: `/p/[project]/runs/[run]`. */
export function listAddresses(): readonly string[] {
  return readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:page\.tsx|route\.tsx?)$/.test(file))
    .map((file) => `/${path.dirname(file)}`)
    .map((address) => (address === '/.' ? '/' : address))
    .sort()
}

/** Replaces `[run]` and `[...missing]` in an address with what `valueOf` returns for the name. */
export function fillAddress(address: string, valueOf: (name: string) => string): string {
  return address.replace(/\[(?:\.\.\.)?([a-z]+)\]/g, (_whole, name: string) => valueOf(name))
}

/** Names that pages and routes read from a query string. */
export const parameters: readonly string[] = [
  ...['axis', 'bars', 'before', 'columns', 'cursor', 'direction', 'figure', 'format', 'from', 'group', 'invitation'],
  ...['label', 'last', 'least', 'limit', 'lines', 'max', 'maxheight', 'maxwidth', 'metric', 'min', 'next', 'of'],
  ...['order', 'page', 'part', 'q', 'saved', 'scale', 'scenario', 'scope', 'sensitivity', 'side', 'sort', 'state'],
  ...['table', 'text', 'theme', 'to', 'tool', 'upload', 'url', 'variant', 'view', 'wait', 'window', 'x', 'y', 'zoom'],
]

/** Values that no honest client sends, encoded for an address. */
export const hostileValues: readonly string[] = [
  '',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '9999-12-31',
  '+275760-09-13',
  '2026-02-30',
  '%00',
  '%01%1B%7F%C2%85',
  '%EF%BF%BE%EF%BF%BF',
  '%ED%A0%80',
  '%FF%FE',
  '%25',
  '-1',
  '1e309',
  'NaN',
  '99999999999999999999',
  '__proto__',
  'constructor',
  '..%2f..%2fetc',
  "'%3B--",
  '%3Cscript%3E',
  '...',
  'a...b...c',
  '%5B%5D',
  '%7B%22a%22%3A1%7D',
  'eyJhIjoxfQ',
  '%F0%9F%98%80'.repeat(60),
  'a'.repeat(3_000),
]
