import { database } from '../db'

const sampleData = 'sample-data'

/** Whether the sample data were loaded once; stays true, whatever is deleted later. */
export async function sampleDataWasLoaded(): Promise<boolean> {
  return (await database().setting.findUnique({ where: { key: sampleData } })) !== null
}

/** Remembers that the sample data are there. */
export async function markSampleDataLoaded(): Promise<void> {
  const value = 'loaded'
  await database().setting.upsert({ where: { key: sampleData }, create: { key: sampleData, value }, update: { value } })
}
