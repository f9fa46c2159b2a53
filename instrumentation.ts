/** Next calls this once, before the first request: opens and migrates the database, loads the samples on the very first start. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
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
