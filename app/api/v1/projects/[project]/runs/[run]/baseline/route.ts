export { clearBaseline as DELETE, setBaseline as PUT } from '@/app/_server/operations/runs/baselines'
