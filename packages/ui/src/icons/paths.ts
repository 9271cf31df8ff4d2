/**
 * The icon set: 16 x 16 with lines of 1.5, drawn for this product. Each value is the `d` of one stroked path; filled paths are in
 * `filled`.
 */
export const paths = {
  home: 'M2.5 7.2 8 2.5l5.5 4.7M4 6.5v6.8h8V6.5M6.8 13.3V9.6h2.4v3.7',
  dashboard: 'M2.5 2.5h4.7v6H2.5zM8.8 2.5h4.7v3.2H8.8zM8.8 7.3h4.7v6.2H8.8zM2.5 10.1h4.7v3.4H2.5z',
  chart: 'M2.5 13.5h11M4 11V8M7 11V4.5M10 11V6.5M13 11V3',
  pie: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5H8zM10.2 2.6a5.5 5.5 0 0 1 3.2 3.2h-3.2z',
  line: 'M2.5 2.5v11h11M4.8 10.2l2.4-3.4 2.2 2 3.6-4.6',
  area: 'M2.5 13.5h11V6.8l-3 2.4-3-4.4-5 5.2z',
  number: 'M5.2 13.2 6.6 2.8M9.4 13.2l1.4-10.4M2.8 5.9h10.7M2.4 10.1h10.7',
  table: 'M2.5 3h11v10h-11zM2.5 6.3h11M6.4 6.3V13',
  dataset:
    'M2.5 4c0-.9 2.5-1.5 5.5-1.5s5.5.6 5.5 1.5v8c0 .9-2.5 1.5-5.5 1.5S2.5 12.9 2.5 12zM2.5 4c0 .9 2.5 1.5 5.5 1.5s5.5-.6 5.5-1.5M2.5 8c0 .9 2.5 1.5 5.5 1.5s5.5-.6 5.5-1.5',
  database: 'M3 2.5h10v3.2H3zM3 6.4h10v3.2H3zM3 10.3h10v3.2H3zM5 4.1h.8M5 8h.8M5 11.9h.8',
  sql: 'M2.5 4.5 6 8l-3.5 3.5M7.5 12h6',
  query: 'M3 2.5h6.5L13 6v7.5H3zM9.3 2.7v3.5h3.5M5.5 8.5h5M5.5 11h3.5',
  history: 'M2.6 8a5.4 5.4 0 1 0 1.7-3.9L2.6 5.7M2.5 2.8v3h3M8 5v3.2l2.2 1.3',
  alert: 'M8 2.5c-2.4 0-4 1.7-4 4v2.7L2.8 11.5h10.4L12 9.2V6.5c0-2.3-1.6-4-4-4zM6.5 13.5h3',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 1.9v1.8M8 12.3v1.8M1.9 8h1.8M12.3 8h1.8M3.7 3.7 5 5M11 11l1.3 1.3M3.7 12.3 5 11M11 5l1.3-1.3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.3 3.3',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  close: 'M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4',
  check: 'M3 8.5l3.3 3.3L13 4.8',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-up': 'M4 10l4-4 4 4',
  'chevron-left': 'M10 4 6 8l4 4',
  'chevron-right': 'M6 4l4 4-4 4',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  'arrow-right': 'M3 8h10M9 4l4 4-4 4',
  sort: 'M5 6.5 8 3.5l3 3M5 9.5l3 3 3-3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  drag: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  star: 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  certified:
    'M8 1.8l1.7 1.3 2.1-.1.6 2 1.7 1.3-.7 2 .7 2-1.7 1.2-.6 2.1-2.1-.1L8 14.7l-1.7-1.2-2.1.1-.6-2.1L1.9 10.3l.7-2-.7-2L3.6 5l.6-2 2.1.1zM5.7 8.3l1.7 1.7 3-3.3',
  edit: 'M2.8 13.2l.6-3 7.4-7.4 2.4 2.4-7.4 7.4zM9.2 4.4l2.4 2.4',
  trash: 'M2.8 4.3h10.4M6.3 4.2V2.6h3.4v1.6M4.2 4.4l.6 9h6.4l.6-9M6.8 7v3.8M9.2 7v3.8',
  copy: 'M5.5 5.5h8v8h-8zM10.4 5.4V2.5H2.5v7.9h2.9',
  link: 'M6.7 9.3a2.5 2.5 0 0 0 3.6 0l2.4-2.4a2.5 2.5 0 0 0-3.6-3.6l-.8.8M9.3 6.7a2.5 2.5 0 0 0-3.6 0L3.3 9.1a2.5 2.5 0 0 0 3.6 3.6l.8-.8',
  share: 'M8 9.5V2.5M5.3 4.9 8 2.3l2.7 2.6M5 7.3H3v6.2h10V7.3h-2',
  external: 'M6.5 3.5h-4v10h10v-4M9.5 2.5h4v4M13.3 2.7 7.5 8.5',
  download: 'M8 2.5v8M4.8 7.4 8 10.6l3.2-3.2M2.5 13.5h11',
  image: 'M2.5 3h11v10h-11zM2.5 11l3.3-3.6 3 3 1.9-1.9 2.8 2.7M10.3 5.9h.01',
  upload: 'M8 10.5v-8M4.8 5.6 8 2.4l3.2 3.2M2.5 13.5h11',
  refresh: 'M13.3 8a5.3 5.3 0 1 1-1.6-3.8l1.6 1.5M13.5 2.6v3.2h-3.2',
  play: 'M4.5 2.8v10.4L13 8z',
  stop: 'M4 4h8v8H4z',
  pause: 'M5 3.5v9M11 3.5v9',
  save: 'M2.7 2.7h8.2l2.4 2.4v8.2H2.7zM5 2.8v3.4h5V2.8M4.9 13.2V9.3h6.2v3.9',
  undo: 'M5.5 3 2.7 5.8l2.8 2.8M3 5.8h6.2a3.9 3.9 0 0 1 0 7.7H6',
  redo: 'M10.5 3l2.8 2.8-2.8 2.8M13 5.8H6.8a3.9 3.9 0 0 0 0 7.7H10',
  filter: 'M2.3 3h11.4L9.5 8.3v5l-3-1.7V8.3z',
  columns: 'M2.5 2.5h11v11h-11zM6.2 2.5v11M9.8 2.5v11',
  cards: 'M2.5 2.5h4.7v4.7H2.5zM8.8 2.5h4.7v4.7H8.8zM2.5 8.8h4.7v4.7H2.5zM8.8 8.8h4.7v4.7H8.8z',
  list: 'M2.5 4h.01M2.5 8h.01M2.5 12h.01M5.5 4h8M5.5 8h8M5.5 12h8',
  sidebar: 'M2.5 3h11v10h-11zM6 3v10',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  'eye-off':
    'M2.5 2.5l11 11M6.3 4.1A6.6 6.6 0 0 1 8 3.8c4 0 6.2 4.2 6.2 4.2a11 11 0 0 1-1.9 2.4M4.3 5.1A10.6 10.6 0 0 0 1.8 8S4 12.2 8 12.2c1.2 0 2.3-.4 3.2-.9M6.7 6.7a1.8 1.8 0 0 0 2.6 2.6',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.4v3.8M8 4.9h.01',
  warning: 'M8 2.3l6.3 11.2H1.7zM8 6.5v3.2M8 11.6h.01',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  success: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.3 8.3l1.9 1.9 3.6-4.1',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.7V8l2.3 1.4',
  calendar: 'M2.5 3.7h11v9.8h-11zM2.5 6.8h11M5.3 2.2v2.7M10.7 2.2v2.7',
  plug: 'M5.5 2.5v3M10.5 2.5v3M3.8 5.5h8.4v2a4.2 4.2 0 0 1-8.4 0zM8 11.7v2.3',
  offline:
    'M2.5 2.5l11 11M1.8 6.3A9 9 0 0 1 4.6 4.6M7.3 3.7a9 9 0 0 1 6.9 2.6M4.1 8.8a5.6 5.6 0 0 1 2.5-1.5M10.4 7.7c.5.3 1 .6 1.5 1.1M6.4 11.2a2.3 2.3 0 0 1 3.2 0M8 13.5h.01',
  user: 'M8 7.8a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM2.8 13.5c.4-2.6 2.5-4 5.2-4s4.8 1.4 5.2 4',
  lock: 'M3.5 7.3h9v6.2h-9zM5.3 7.2V5.3a2.7 2.7 0 0 1 5.4 0v1.9',
  keyboard: 'M1.8 4h12.4v8H1.8zM4.3 6.5h.01M7 6.5h.01M9.6 6.5h.01M12 6.5h.01M5 9.5h6',
  'sign-out': 'M6.5 2.5h-4v11h4M6.5 8h7M10.5 5l3 3-3 3',
  moon: 'M13.2 9.9A5.6 5.6 0 1 1 6.1 2.8a4.6 4.6 0 0 0 7.1 7.1z',
  sun: 'M8 10.7a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1',
  expand: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.3 2.7 9.3 6.7M2.7 13.3l4-4',
  text: 'M3 4.3V3h10v1.3M8 3v10M6 13h4',
  function: 'M12 3H4.5L8 8l-3.5 5H12',
  boolean: 'M5.3 4.5h5.4a3.5 3.5 0 0 1 0 7H5.3a3.5 3.5 0 0 1 0-7zM5.5 9.3a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6z',
  divider: 'M2.5 8h11M4 4h8M4 12h8',
  rows: 'M2.5 2.5h11v4.7h-11zM2.5 8.8h11v4.7h-11z',
  tabs: 'M2.5 5.5h11v8h-11zM2.5 5.4V2.5h4v2.9M8 3.2h3',
  markdown: 'M1.8 4h12.4v8H1.8zM4 10V6.2l1.7 2 1.7-2V10M10.8 6v3.8M9.3 8.4l1.5 1.6 1.5-1.6',
  tag: 'M2.5 2.5h5.6l5.4 5.4-5.6 5.6-5.4-5.4zM5.3 5.3h.01',
  bolt: 'M8.8 1.8 3.5 9h3.8l-.6 5.2L12.5 7H8.6z',
} as const

/** Custom path data in a square of 16, for objects with their own icon such as chart types. */
export type IconPath = `M${string}`
export type IconName = keyof typeof paths | IconPath

export const pathOf = (name: IconName): string => (name in paths ? paths[name as keyof typeof paths] : name)

/** Icons that can also be drawn filled, for a state such as "favorite". */
export const fillable: ReadonlySet<IconName> = new Set(['star', 'play', 'stop'])
