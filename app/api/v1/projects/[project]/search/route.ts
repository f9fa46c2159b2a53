export { searchProject as GET } from '@/app/_server/operations/search'
