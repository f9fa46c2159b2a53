import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { countWaiting } from '@/prisma/queries/installation/sweeps'
import type { FinishedRequest } from './finished-request'
import { isDatabaseAway, sinceWorkMs } from '../outage'
import { settings } from '../settings'
import { waitForDatabase } from '../watch-database'

/** How an upload ended. `refused`: nothing of it was stored. */
export type UploadEnd = 'saved' | 'draft' | 'duplicate' | 'unreadable' | 'refused'

/** Counters of this process. Labels have few values, whatever requests arrive. */
class Meters {
  readonly registry = new Registry()
  private readonly requests = new Counter({
    name: 'tailboard_http_requests_total',
    help: 'Responses by method, route and status class.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  })
  private readonly seconds = new Histogram({
    name: 'tailboard_http_request_duration_seconds',
    help: 'From the head of a request to the end of its response, by route.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 2, 5, 30],
    registers: [this.registry],
  })
  private readonly uploads = new Counter({
    name: 'tailboard_uploads_total',
    help: 'Uploads by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  })
  private readonly uploadedBytes = new Counter({
    name: 'tailboard_upload_bytes_total',
    help: 'Bytes of uploads that were stored, as they were sent.',
    registers: [this.registry],
  })
  private readonly imports = new Histogram({
    name: 'tailboard_import_duration_seconds',
    help: 'Time a thread spent on an upload.',
    buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300],
    registers: [this.registry],
  })
  private readonly busyThreads = new Gauge({
    name: 'tailboard_import_threads_busy',
    help: 'Threads reading an upload.',
    registers: [this.registry],
  })
  private readonly away = new Gauge({
    name: 'tailboard_database_away',
    help: '1 while the database does not respond.',
    registers: [this.registry],
  })
  private readonly workAge = new Gauge({
    name: 'tailboard_background_round_age_seconds',
    help: 'Time since background work last made progress; absent: not yet.',
    registers: [this.registry],
  })
  private readonly waiting = new Gauge({
    name: 'tailboard_queue_depth',
    help: 'Series to evaluate and alert messages to send; absent while the database is away.',
    labelNames: ['queue'],
    registers: [this.registry],
  })
  private readonly oldest = new Gauge({
    name: 'tailboard_queue_oldest_seconds',
    help: 'Age of the oldest of them; absent if the queue is empty.',
    labelNames: ['queue'],
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  request({ method, route, status, seconds, isStream }: FinishedRequest): void {
    this.requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` })
    if (!isStream) this.seconds.observe({ method, route }, seconds)
  }

  upload(outcome: UploadEnd, storedBytes: number): void {
    this.uploads.inc({ outcome })
    this.uploadedBytes.inc(storedBytes)
  }

  /** A thread has an upload; call the returned function when it is free again. */
  beginImport(): () => void {
    this.busyThreads.inc()
    const end = this.imports.startTimer()
    return () => {
      this.busyThreads.dec()
      end()
    }
  }

  /** All counters, in Prometheus' text format. */
  async text(now: Date): Promise<string> {
    this.away.set(isDatabaseAway() ? 1 : 0)
    for (const gauge of [this.workAge, this.waiting, this.oldest]) gauge.reset()
    const sinceMs = sinceWorkMs()
    if (sinceMs === null) this.workAge.remove()
    else this.workAge.set(sinceMs / 1_000)
    if (!isDatabaseAway()) await this.readQueues(now)
    return this.registry.metrics()
  }

  private async readQueues(now: Date): Promise<void> {
    try {
      for (const { queue, depth, oldestAt } of await countWaiting()) {
        this.waiting.set({ queue }, depth)
        if (oldestAt !== null) this.oldest.set({ queue }, Math.max(0, (now.getTime() - oldestAt.getTime()) / 1_000))
      }
    } catch (error) {
      // The scrape reports that it is away; it does not wait until it is back.
      void waitForDatabase(error)
      this.away.set(1)
    }
  }
}

/** On globalThis: the server and each route of Next have their own copies of this module in one process. */
const key = Symbol.for('tailboard.meters')

/** Null: this server has no token for metrics, and counts nothing. */
export function meters(): Meters | null {
  const holder = globalThis as { [key]?: Meters | null }
  if (holder[key] === undefined) holder[key] = settings().metricsToken === null ? null : new Meters()
  return holder[key]
}
