import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RoomReserve } from '@/prisma/room-reserve'

test('keeps 32 MiB, gives them back once, and takes a file that was cut off for none', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-reserve-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'reserve')
  const reserve = new RoomReserve(file)
  expect(await reserve.release()).toBe(false)
  expect(await reserve.keep()).toBe(true)
  // Blocks of 512 bytes that are on the disk, whatever the file system makes of them.
  expect((await stat(file)).blocks * 512).toBeGreaterThanOrEqual(32 * 1024 * 1024)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await reserve.keep()).toBe(true)
  expect(await reserve.release()).toBe(true)
  expect(await readdir(folder)).toEqual([])
  await writeFile(file, 'cut off')
  expect(await reserve.release()).toBe(false)
  expect(await reserve.keep()).toBe(true)
  expect((await stat(file)).size).toBe(32 * 1024 * 1024)
})

test('is not kept where it cannot be made', async () => {
  expect(await new RoomReserve('/proc/reserve').keep()).toBe(false)
})
