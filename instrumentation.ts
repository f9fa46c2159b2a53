declare global {
  // The server and Next each have a copy of this module in one process.
  var tailboardOpening: Promise<void> | undefined
}

/** Next calls this once, before the first request. In production, the server has opened everything by then. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') await openOnce()
}

/** Opens and migrates the database, loads the samples on the very first start, begins the background work. */
export function openOnce(): Promise<void> {
  return (globalThis.tailboardOpening ??= open())
}

async function open(): Promise<void> {
  const { openDatabase, closeDatabase } = await import('./prisma/db')
  const { settings } = await import('./app/_server/settings')
  const { failStart, onShutdown } = await import('./app/_server/lifecycle')
  const { openData } = await import('./app/_server/open-data')
  try {
    const { dataFolder, databaseUrl, directUrl, databaseWorker } = settings()
    onShutdown(closeDatabase)
    await openData(() =>
      openDatabase({ dataFolder, databaseUrl, directUrl, databaseWorker: databaseWorker ?? undefined }),
    )
  } catch (error) {
    failStart(error)
  }
}
