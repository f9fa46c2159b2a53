export { listMappings as GET } from '@/app/_server/operations/mappings'
