export { getCapacity as GET } from '@/app/_server/operations/capacity'
