export { getEnvironment as GET } from '@/app/_server/operations/environments'
