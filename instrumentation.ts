/** Next calls this once, before the first request: opens and migrates the database, loads the samples on the very first start. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { openDatabase, closeDatabase } = await import('./prisma/db')
  const { settings } = await import('./app/_server/settings')
  const { failStart, onShutdown } = await import('./app/_server/lifecycle')
  const { prepareData } = await import('./app/_server/prepare-data')
  try {
    const { dataFolder, databaseUrl } = settings()
    await openDatabase({ dataFolder, databaseUrl })
    onShutdown(closeDatabase)
    await prepareData()
  } catch (error) {
    failStart(error)
  }
}
