import { definePage } from '../shared/page.ts'

export const home = definePage({
  name: 'home',
  frame: 'browse',
  section: 'home',
  load: async () => (await import('./HomePage.tsx')).HomePage,
})

export const pages = [home]
