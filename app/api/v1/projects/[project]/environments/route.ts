export { listEnvironments as GET } from '@/app/_server/operations/environments'
