import { expect, it } from 'vitest'
import { database } from '@/prisma/db'
import { Prisma } from '@/prisma/generated/client'
import { databaseFailureOf } from '@/prisma/database-failure'
import { describeOnEngines } from '../engines'

describeOnEngines('raw statements', () => {
  it('read and write values as Prisma does', async () => {
    const at = new Date('2026-03-29T00:59:59.123Z')
    const values = { at, big: 2n ** 60n, json: { a: [1, null] }, texts: ['a', null, '"b,'] }
    const rows = await database().$queryRaw<object[]>`
      SELECT ${at}::timestamptz AS at, ${values.big}::int8 AS big, ${values.json}::jsonb AS json,
      ${values.texts}::text[] AS texts, 1.5::numeric AS numeric, sum(one)::float8 AS sum, count(*) AS count,
      ${Buffer.from([0, 255])}::bytea AS bytes, NULL::text AS nothing
      FROM unnest(${[0.5, 0.25]}::float8[], ${[at]}::timestamptz[]) AS given (one, time)
      WHERE time IS NULL OR time = ${at}`
    expect(rows).toEqual([
      {
        ...values,
        numeric: new Prisma.Decimal('1.5'),
        sum: 0.75,
        count: 2n,
        bytes: Buffer.from([0, 255]),
        nothing: null,
      },
    ])
    expect(await database().$executeRaw(Prisma.sql`SELECT 1 FROM generate_series(1, ${3}::int)`)).toBe(3)
  })

  it('belong to their transaction, beside models', async () => {
    const id = 'raw-statements-1'
    const count = () => database().rateLimit.count({ where: { key: id } })
    const write = (tx: Prisma.TransactionClient) =>
      tx.$executeRaw`INSERT INTO rate_limit (key, points, expires_at) VALUES (${id}, 1, now() + interval '1 hour')`
    const failing = database().$transaction(async (tx) => {
      expect(await write(tx)).toBe(1)
      expect(await tx.rateLimit.count({ where: { key: id } })).toBe(1)
      throw new Error('changed our mind')
    })
    await expect(failing).rejects.toThrow('changed our mind')
    expect(await count()).toBe(0)
    await database().$transaction(write)
    expect(await count()).toBe(1)
  })

  it('fail once their transaction has ended', async () => {
    const late = await database().$transaction((tx) => Promise.resolve({ tx }))
    const error: unknown = await late.tx.$queryRaw`SELECT 1`.catch((reason: unknown) => reason)
    expect(String(error)).toContain('The transaction has ended')
    expect(databaseFailureOf(error)).toBe('unavailable')
  })

  it("fail with PostgreSQL's code, and leave the connection usable", async () => {
    await expect(database().$queryRaw`SELECT 1 / ${0}::int`).rejects.toMatchObject({ code: '22012' })
    const inside = database().$transaction((tx) => tx.$executeRaw`SELECT 1 / ${0}::int`)
    await expect(inside).rejects.toMatchObject({ code: '22012' })
    expect(await database().$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }])
  })
})
