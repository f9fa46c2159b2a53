import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeBackup } from './write-backup'
import { log } from '../observe/log'

const socketOf = (dataFolder: string) => path.join(/*turbopackIgnore: true*/ dataFolder, 'backup.sock')

/**
 * Sends a backup to any client of `backup.sock` in the data folder, which only its owner can connect to. The embedded
 * database is open in one process, so its backup must come from that one. Returns a function that ends this.
 */
export async function serveBackups(dataFolder: string): Promise<() => Promise<void>> {
  const file = socketOf(dataFolder)
  await rm(file, { force: true }) // left by a killed process: the folder is locked for this one
  const server = createServer((socket) => {
    pipeline(writeBackup(dataFolder), socket).catch((error: unknown) => {
      log('error', `A backup failed: ${String(error)}`)
    })
  })
  server.listen(file)
  try {
    await once(server, 'listening')
  } catch (error) {
    log('warn', `Backups can be made only while the server is stopped: ${String(error)}`)
    return () => Promise.resolve()
  }
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** A backup from the process that has the data folder open; null: no process has. */
export async function askForBackup(dataFolder: string): Promise<AsyncIterable<Uint8Array> | null> {
  const socket = createConnection(socketOf(dataFolder))
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return null // no file, or no process behind it
  }
}
