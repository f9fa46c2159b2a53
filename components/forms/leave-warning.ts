import { useEffect } from 'react'

/** While `isOn`, the browser asks before a reload or another site ends what is unfinished on the page. */
export function useLeaveWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isOn])
}
