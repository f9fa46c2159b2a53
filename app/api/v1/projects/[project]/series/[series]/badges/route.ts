export { createBadge as POST, listBadges as GET } from '@/app/_server/operations/badges'
