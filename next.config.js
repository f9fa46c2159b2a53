/** @type {import('next').NextConfig} */
const nextConfig = {
  // Several developers can run `npm run dev` in one checkout, each with a build folder of their own.
  distDir: process.env.TAILBOARD_NEXT_DIR ?? '.next',
  serverExternalPackages: ['@electric-sql/pglite', 'pg', '@prisma/client', '@prisma/adapter-pg'],
  poweredByHeader: false,
  images: { unoptimized: true },
}

export default nextConfig
