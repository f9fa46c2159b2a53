import type { StoredBytes } from '../archive/open-zip'
import type { BucketSettings } from '../settings'
import { BucketClient, isMissing } from './bucket-client'
import { BucketWriter, storedObject, type BucketPlaces } from './bucket-writer'
import { sweptAtOnce, type FindNeeded, type RawStore } from './raw-store'
import { StoreError } from './store-error'

/** No upload that is piped in for days must be taken for one that never ended. */
const weekMs = 7 * 24 * 3_600_000

interface ListedObject {
  readonly Key: string
  readonly ageMs: number
  /** Null: of an upload in progress. */
  readonly sha256: string | null
}

/** The store in an S3-compatible bucket, with the same names as in the folder. */
export class BucketStore implements RawStore {
  private readonly client: BucketClient
  private readonly top: string
  private readonly places: BucketPlaces

  constructor(private readonly settings: BucketSettings) {
    const top = `${settings.prefix}raw/`
    this.client = new BucketClient(settings)
    this.top = top
    this.places = {
      final(sha256) {
        if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`Not a SHA-256: ${sha256}`)
        return `${top}${sha256.slice(0, 2)}/${sha256}`
      },
      incoming: (id) => `${top}incoming/${id}`,
    }
  }

  async create(): Promise<BucketWriter> {
    return new BucketWriter(this.client, this.places)
  }

  async *read(sha256: string): AsyncGenerator<Uint8Array> {
    yield* this.client.read(this.places.final(sha256))
  }

  async sizeBytes(sha256: string): Promise<number> {
    const { ContentLength = 0 } = await this.head(this.places.final(sha256))
    return ContentLength
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.findHead(this.places.final(sha256))) !== null
  }

  async stored(sha256: string): Promise<StoredBytes> {
    return storedObject(this.client, this.places.final(sha256), await this.sizeBytes(sha256))
  }

  async sweep(findNeeded: FindNeeded, olderThanMs: number, unfinishedMs = weekMs): Promise<number> {
    let removed = 0
    for await (const objects of this.listed()) {
      const old = objects.filter(({ sha256, ageMs }) => ageMs > (sha256 === null ? unfinishedMs : olderThanMs))
      const needed = await findNeeded(old.flatMap(({ sha256 }) => sha256 ?? []))
      for (const { Key, sha256 } of old) {
        if (sha256 !== null && (needed.has(sha256) || (await this.isYounger(Key, olderThanMs)))) continue
        await this.client.ask((s3, bucket) => s3.deleteObject({ ...bucket, Key }))
        removed += 1
      }
    }
    return removed + (await this.abortOld(unfinishedMs))
  }

  async isEmpty(): Promise<boolean> {
    const first = { Prefix: this.top, MaxKeys: 1 }
    const { KeyCount = 0 } = await this.client.ask((s3, bucket) => s3.listObjectsV2({ ...bucket, ...first }))
    return KeyCount === 0
  }

  async check(): Promise<void> {
    try {
      await this.client.ask((s3, bucket) => s3.headBucket(bucket))
    } catch (error) {
      throw isMissing(error) ? new StoreError(`there is no bucket ${this.settings.name}`, true, error) : error
    }
  }

  private head(Key: string) {
    return this.client.ask((s3, bucket) => s3.headObject({ ...bucket, Key }))
  }

  /** Null: there is no such object. */
  private async findHead(Key: string) {
    try {
      return await this.head(Key)
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** All objects of ours, some at a time: `sha256` is null for those of uploads in progress. */
  private async *listed(): AsyncGenerator<readonly ListedObject[]> {
    let ContinuationToken: string | undefined
    do {
      const from = { MaxKeys: sweptAtOnce, ...(ContinuationToken === undefined ? {} : { ContinuationToken }) }
      const page = await this.client.ask((s3, bucket) => s3.listObjectsV2({ ...bucket, Prefix: this.top, ...from }))
      yield (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
        Key === undefined || LastModified === undefined ? [] : this.ownObject(Key, ageOf(LastModified)),
      )
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken !== undefined)
  }

  /** Other objects there are not ours. */
  private ownObject(Key: string, ageMs: number): readonly ListedObject[] {
    if (Key.startsWith(this.places.incoming(''))) return [{ Key, ageMs, sha256: null }]
    const sha256 = Key.slice(this.top.length + 3)
    return /^[0-9a-f]{64}$/.test(sha256) && Key === this.places.final(sha256) ? [{ Key, ageMs, sha256 }] : []
  }

  /** The same bytes may have been uploaded again since they were listed, or removed. */
  private async isYounger(Key: string, thanMs: number): Promise<boolean> {
    const found = await this.findHead(Key)
    return found === null || (found.LastModified !== undefined && ageOf(found.LastModified) <= thanMs)
  }

  /** Multipart uploads whose instance ended before they did. Not every server lists them. */
  private async abortOld(olderThanMs: number): Promise<number> {
    const Prefix = this.places.incoming('')
    const { Uploads = [] } = await this.client.ask((s3, bucket) => s3.listMultipartUploads({ ...bucket, Prefix }))
    let aborted = 0
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (Key === undefined || UploadId === undefined || Initiated === undefined || !Key.startsWith(Prefix)) continue
      if (ageOf(Initiated) <= olderThanMs) continue
      await this.client.ask((s3, bucket) => s3.abortMultipartUpload({ ...bucket, Key, UploadId }))
      aborted += 1
    }
    return aborted
  }
}

const ageOf = (time: Date): number => Date.now() - time.getTime()
