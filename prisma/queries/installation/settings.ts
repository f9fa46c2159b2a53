import { database } from '../../db'

const sampleData = 'sample-data'

/** Whether the sample data was ever loaded; stays true, whatever is deleted later. */
export async function sampleDataWasLoaded(): Promise<boolean> {
  return (await database().setting.findUnique({ where: { key: sampleData } })) !== null
}

/** Records that the sample data is loaded. */
export async function markSampleDataLoaded(): Promise<void> {
  const value = 'loaded'
  await database().setting.upsert({ where: { key: sampleData }, create: { key: sampleData, value }, update: { value } })
}
