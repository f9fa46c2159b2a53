import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { databasePool } from '@/prisma/db'
import { describeEmbedded } from '../engines'

/** Ways to fail: at parse, bind and execution; each with PostgreSQL's message. */
const failing: readonly (readonly [sql: string, values: unknown[], message: string])[] = [
  ['SELEC $1', [1], 'syntax error at or near "SELEC"'],
  ['SELECT nope, $1::int', [1], 'column "nope" does not exist'],
  ['SELECT $1::int', ['abc'], 'invalid input syntax for type integer: "abc"'],
  ['SELECT 1 / $1::int', [0], 'division by zero'],
  ['SELECT $1::jsonb', ['{"a": "\\u0000"}'], 'unsupported Unicode escape sequence'],
]

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describeEmbedded(
  'the pool',
  () => {
    it('separates 1,000 good and failing statements in parallel', async () => {
      const answers = Array.from({ length: 1_000 }, async (_, at) => {
        const bad = at % 2 === 0 ? failing[(at / 2) % failing.length] : undefined
        if (bad !== undefined) {
          await expect(databasePool().query(bad[0], bad[1])).rejects.toThrow(bad[2])
          return
        }
        const { rows } = await databasePool().query('SELECT $1::int AS own, $2::text AS text', [at, 'x'.repeat(at)])
        expect(rows).toEqual([{ own: at, text: 'x'.repeat(at) }])
      })
      await Promise.all(answers)
    })

    // Responses used to stay in its thread forever, until 128 MB ended it.
    it('frees its responses', async () => {
      for (let times = 0; times < 25; times += 1) {
        const { rows } = await databasePool().query<{ text: string }>(
          `SELECT repeat(md5(at::text), 1000) AS text FROM generate_series(1, 250) AS at`,
        )
        expect(rows).toHaveLength(250)
      }
    })

    it('ends a failed transaction before the next one, whatever became of its connection', async () => {
      const answers = Array.from({ length: 100 }, async (_, at) => {
        const client = await databasePool().connect()
        await client.query('BEGIN')
        await client.query(`SET LOCAL work_mem = '1MB'`)
        const isBad = at % 3 === 0
        if (isBad) await expect(client.query('SELEC $1', [at])).rejects.toThrow('syntax error')
        else expect((await client.query('SELECT $1::int AS own', [at])).rows).toEqual([{ own: at }])
        client.release(true)
        expect((await databasePool().query(`SHOW work_mem`)).rows).not.toEqual([{ work_mem: '1MB' }])
      })
      await Promise.all(answers)
    })

    it('does not stay in a transaction whose connection was abandoned', async () => {
      const client = await databasePool().connect()
      await client.query('BEGIN')
      await client.query(`INSERT INTO setting (key, value) VALUES ('half', 'done')`)
      client.release(true)
      await databasePool().query(`INSERT INTO setting (key, value) VALUES ('whole', 'done')`)
      const { rows } = await databasePool().query(
        'SELECT array_agg(key) AS keys, pg_current_xact_id_if_assigned() AS transaction FROM setting',
      )
      expect(rows).toEqual([{ keys: ['whole'], transaction: null }])
    })

    // A file of 10,000 runs used to block every other request for 15 s.
    it('lets others run between the statements of a transaction', async () => {
      const client = await databasePool().connect()
      let turns = 0
      let isOver = false
      const count = () => {
        turns += 1
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      const startedAt = performance.now()
      try {
        await client.query('BEGIN')
        for (let at = 0; at < 100; at += 1) await client.query('SELECT sum(one) FROM generate_series(1, 30000) AS one')
        await client.query('COMMIT')
      } finally {
        isOver = true
        client.release()
      }
      // At least one for each 10 ms, except during the longest statement.
      expect(turns).toBeGreaterThan(Math.min(90, (performance.now() - startedAt) / 40))
    })

    // It used to run in the server's thread, where every statement blocked everything.
    it('blocks nothing else while one statement takes its time', async () => {
      const waits = monitorEventLoopDelay({ resolution: 5 })
      await databasePool().query('SELECT 1')
      waits.enable()
      const startedAt = performance.now()
      await databasePool().query('SELECT sum(one) FROM generate_series(1, 3000000) AS one')
      const tookMs = performance.now() - startedAt
      waits.disable()
      expect(waits.max / 1e6).toBeLessThan(tookMs / 2)
    })

    // A checkpoint of a whole file of 10,000 runs used to take 220 ms, which blocked everything.
    it('is checkpointed while a transaction writes much, even one that fails, and loses nothing', async () => {
      const redo = `SELECT redo_lsn::text AS redo FROM pg_control_checkpoint()`
      await databasePool().query('CREATE TABLE large (text text)')
      const client = await databasePool().connect()
      const write = (letter: string) =>
        client.query('INSERT INTO large SELECT repeat($1, 8000) FROM generate_series(1, 1000)', [letter])
      try {
        await client.query('ALTER TABLE large ALTER text SET STORAGE PLAIN')
        const { rows: before } = await client.query(redo)
        await client.query('BEGIN')
        for (let at = 0; at < 6; at += 1) await write('a')
        expect((await client.query(redo)).rows).not.toEqual(before)
        await client.query('COMMIT')
        await client.query('BEGIN')
        for (let at = 0; at < 3; at += 1) await write('b')
        await expect(client.query('SELEC 1')).rejects.toThrow('syntax error')
        for (let at = 0; at < 3; at += 1) await expect(write('b')).rejects.toThrow('current transaction is aborted')
        await client.query('ROLLBACK')
        const { rows } = await client.query(
          `SELECT count(*)::int AS rows, min(text) = repeat('a', 8000) AS whole FROM large`,
        )
        expect(rows).toEqual([{ rows: 6_000, whole: true }])
      } finally {
        client.release()
      }
    })

    // PostgreSQL used to crash in the middle while PGlite continued with what was left: later statements failed with
    // 'unnamed prepared statement does not exist', or never returned.
    it('reopens the database if a statement ended it, and loses nothing', async () => {
      await databasePool().query('CREATE TABLE kept (number int)')
      for (let round = 1; round <= 2; round += 1) {
        await databasePool().query('INSERT INTO kept VALUES ($1)', [round])
        const fatal = databasePool().query('SELECT $1::jsonb', [nested(100_000)])
        const others = Array.from({ length: 20 }, (_, at) => databasePool().query('SELECT $1::int AS own', [at]))
        await expect(fatal).rejects.toThrow('The embedded database ended: RangeError')
        expect((await Promise.all(others)).map(({ rows }) => rows)).toEqual(others.map((_, own) => [{ own }]))
      }
      const { rows } = await databasePool().query('SELECT count(*)::int AS kept FROM kept')
      expect(rows).toEqual([{ kept: 2 }])
    })
  },
  'schema',
)
