const paths = {
  brand: 'M3 20V9m6 11V4m6 16v-7m6 7V11',
  projects: 'M3 7l9-4 9 4-9 4zM3 12l9 4 9-4M3 17l9 4 9-4',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  runs: 'M4 6h16M4 12h16M4 18h16',
  compare: 'M6 4v16M18 4v16M6 8h6M12 16h6',
  trends: 'M4 4v16h16M7 15l4-5 3 3 5-7',
  alerts: 'M6 17V11a6 6 0 1112 0v6l2 2H4zM10 21h4',
  matrix: 'M4 4h16v16H4zM4 12h16M12 4v16',
  saved: 'M6 4h12v16l-6-4-6 4zM9 8h6M9 11h4',
  upload: 'M12 16V4m0 0L7 9m5-5l5 5M4 16v4h16v-4',
  share: 'M12 15V4m0 0L8 8m4-4l4 4M6 12H5v8h14v-8h-1',
  settings: 'M4 7h10m4 0h2M4 17h2m4 0h10M14 4.5v5M8 14.5v5',
  learn: 'M12 6c-2-2-5-2-8-2v14c3 0 6 0 8 2 2-2 5-2 8-2V4c-3 0-6 0-8 2zm0 0v14',
  search: 'M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l5 5',
  sun: 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v3m0 14v3M2 12h3m14 0h3M5 5l2 2m10 10l2 2M19 5l-2 2M7 17l-2 2',
  moon: 'M20 14A8 8 0 0110 4a8 8 0 1010 10z',
  close: 'M5 5l14 14M19 5L5 19',
  contrast: 'M12 3a9 9 0 100 18 9 9 0 000-18zm0 0v18',
} as const

export type IconName = keyof typeof paths

/** A 20 px line icon, hidden from screen readers: its button or link has the name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
