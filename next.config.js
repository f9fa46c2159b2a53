/** @type {import('next').NextConfig} */
const nextConfig = {
  serverExternalPackages: ['@electric-sql/pglite', 'pg', '@prisma/client', '@prisma/adapter-pg'],
  poweredByHeader: false,
  images: { unoptimized: true },
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@mantine/notifications'] },
}

export default nextConfig
