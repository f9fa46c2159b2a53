import type { BucketSettings } from '../settings'
import { BucketClient, isMissing } from './bucket-client'
import { BucketWriter, storedObject, type BucketPlaces } from './bucket-writer'
import type { RawStore } from './raw-store'
import { StoreError } from './store-error'

/** No upload that is piped in for days must be taken for one that never ended. */
const weekMs = 7 * 24 * 3_600_000

/** The store in an S3-compatible bucket, with the same names as in the folder. */
export function bucketStore(settings: BucketSettings): RawStore {
  const client = new BucketClient(settings)
  const top = `${settings.prefix}raw/`
  const places: BucketPlaces = {
    final(sha256) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`Not a SHA-256: ${sha256}`)
      return `${top}${sha256.slice(0, 2)}/${sha256}`
    },
    incoming: (id) => `${top}incoming/${id}`,
  }

  async function sizeBytes(sha256: string): Promise<number> {
    const { ContentLength = 0 } = await head(places.final(sha256))
    return ContentLength
  }

  const head = (Key: string) => client.ask((s3, bucket) => s3.headObject({ ...bucket, Key }))
  const remove = (Key: string) => client.ask((s3, bucket) => s3.deleteObject({ ...bucket, Key }))

  async function* list(): AsyncGenerator<{ readonly Key: string; readonly ageMs: number }> {
    let ContinuationToken: string | undefined
    do {
      const from = ContinuationToken === undefined ? {} : { ContinuationToken }
      const page = await client.ask((s3, bucket) => s3.listObjectsV2({ ...bucket, Prefix: top, ...from }))
      for (const { Key, LastModified } of page.Contents ?? [])
        if (Key !== undefined && LastModified !== undefined) yield { Key, ageMs: Date.now() - LastModified.getTime() }
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken !== undefined)
  }

  const sweep: RawStore['sweep'] = async (isUsed, olderThanMs, unfinishedMs = weekMs) => {
    let removed = 0
    for await (const { Key, ageMs } of list()) {
      const sha256 = Key.slice(top.length + 3)
      const isFinal = /^[0-9a-f]{64}$/.test(sha256) && Key === places.final(sha256)
      const isIncoming = Key.startsWith(places.incoming(''))
      // Other objects there are not ours.
      if (!isFinal && !isIncoming) continue
      if (isIncoming ? ageMs <= unfinishedMs : isUsed(sha256) || ageMs <= olderThanMs) continue
      if (isFinal && (await isYounger(Key, olderThanMs))) continue
      await remove(Key)
      removed += 1
    }
    return removed + (await abortOld(unfinishedMs))
  }

  /** The same bytes may have been uploaded again since they were listed. */
  async function isYounger(Key: string, thanMs: number): Promise<boolean> {
    try {
      const { LastModified } = await head(Key)
      return LastModified !== undefined && Date.now() - LastModified.getTime() <= thanMs
    } catch (error) {
      if (isMissing(error)) return true
      throw error
    }
  }

  /** Multipart uploads whose instance ended before they did. Not every server lists them. */
  async function abortOld(olderThanMs: number): Promise<number> {
    const Prefix = places.incoming('')
    const { Uploads = [] } = await client.ask((s3, bucket) => s3.listMultipartUploads({ ...bucket, Prefix }))
    let aborted = 0
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (Key === undefined || UploadId === undefined || Initiated === undefined || !Key.startsWith(Prefix)) continue
      if (Date.now() - Initiated.getTime() <= olderThanMs) continue
      await client.ask((s3, bucket) => s3.abortMultipartUpload({ ...bucket, Key, UploadId }))
      aborted += 1
    }
    return aborted
  }

  return {
    create: () => Promise.resolve(new BucketWriter(client, places)),
    async *read(sha256) {
      yield* client.read(places.final(sha256))
    },
    sizeBytes,
    async has(sha256) {
      try {
        await head(places.final(sha256))
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    stored: async (sha256) => storedObject(client, places.final(sha256), await sizeBytes(sha256)),
    sweep,
    async isEmpty() {
      const { KeyCount = 0 } = await client.ask((s3, bucket) =>
        s3.listObjectsV2({ ...bucket, Prefix: top, MaxKeys: 1 }),
      )
      return KeyCount === 0
    },
    async check() {
      try {
        await client.ask((s3, bucket) => s3.headBucket(bucket))
      } catch (error) {
        throw isMissing(error) ? new StoreError(`there is no bucket ${settings.name}`, true, error) : error
      }
    },
  }
}
