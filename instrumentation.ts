/** Next calls this once, before the first request: opens and migrates the database, loads the samples on the very first start. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { openDatabase, closeDatabase } = await import('./prisma/db')
  const { settings } = await import('./app/_server/settings')
  const { onShutdown } = await import('./app/_server/lifecycle')
  const { prepareData } = await import('./app/_server/prepare-data')
  try {
    const { dataFolder, databaseUrl } = settings()
    await openDatabase({ dataFolder, databaseUrl })
    onShutdown(closeDatabase)
    await prepareData()
  } catch (error) {
    // A throwing register() would leave a server that answers 500 to everything.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (process.env.TAILBOARD_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  }
}
