export { deleteMapping as DELETE, getMapping as GET, setMapping as PUT } from '@/app/_server/operations/mappings'
