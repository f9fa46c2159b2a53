export { revokeBadge as DELETE } from '@/app/_server/operations/badges'
