export { updateSeries as PATCH } from '@/app/_server/operations/series'
