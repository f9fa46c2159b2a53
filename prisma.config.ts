import { defineConfig } from 'prisma/config'

// `prisma generate` insists that a schema engine exists but never runs it; Node itself is one. Migrations are applied
// by prisma/migrate.ts, so no engine has to be downloaded. To write migrations, unset this and use the native engine.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
