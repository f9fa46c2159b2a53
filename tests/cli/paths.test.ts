import posix from 'node:path/posix'
import win32 from 'node:path/win32'
import { expect, it } from 'vitest'
import { globParts, isGlob, shownName } from '@/cli/paths'

const cwd = 'C:\\Users\\ada\\tests'

it.each([
  ['C:\\Users\\ada\\tests\\base\\run 1.txt', 'base/run 1.txt'],
  ['c:\\users\\ADA\\tests\\a.txt', 'a.txt'],
  ['C:\\Users\\ada\\tests\\..notes.txt', '..notes.txt'],
  ['C:\\Users\\ada\\a.txt', 'C:/Users/ada/a.txt'],
  ['D:\\runs\\a.txt', 'D:/runs/a.txt'],
  ['\\\\server\\share\\runs\\a.txt', '//server/share/runs/a.txt'],
])('on Windows, %s is shown as %s', (file, shown) => {
  expect(shownName(win32.resolve(cwd, file), cwd, win32)).toBe(shown)
})

it.each([
  ['base\\*.txt', 'C:\\Users\\ada\\tests\\base', '*.txt'],
  ['base/*.txt', 'C:\\Users\\ada\\tests\\base', '*.txt'],
  ['.\\base\\run?.txt', 'C:\\Users\\ada\\tests\\base', 'run?.txt'],
  ['..\\*\\out.{txt,json}', 'C:\\Users\\ada', '*/out.{txt,json}'],
  ['D:\\runs\\**\\*.txt', 'D:\\runs', '**/*.txt'],
  ['D:/runs/*.txt', 'D:\\runs', '*.txt'],
  ['\\\\server\\share\\runs\\*.txt', '\\\\server\\share\\runs', '*.txt'],
  ['C:\\Program Files (x86)\\wrk\\*.txt', 'C:\\Program Files (x86)\\wrk', '*.txt'],
  ['*.txt', cwd, '*.txt'],
])('on Windows, the glob %s is below %s', (glob, folder, pattern) => {
  expect(isGlob(glob)).toBe(true)
  expect(globParts(glob, cwd, win32)).toEqual({ folder, pattern })
})

it.each([
  ['base/*.txt', '/home/ada/base', '*.txt'],
  ['/runs/[ab]/*.txt', '/runs', '[ab]/*.txt'],
  ['my\\ runs/*.txt', '/home/ada/my runs', '*.txt'],
  ['\\[1\\]/*.txt', '/home/ada', '\\[1\\]/*.txt'],
  ['@(a|b)/*.txt', '/home/ada', '@(a|b)/*.txt'],
])('elsewhere, the glob %s is below %s, and backslashes escape', (glob, folder, pattern) => {
  expect(globParts(glob, '/home/ada', posix)).toEqual({ folder, pattern })
})
