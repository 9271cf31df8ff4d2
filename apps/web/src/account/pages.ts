import { definePage } from '../shared/page.ts'

/** The user's own account. */
export const userInfo = definePage({
  name: 'userInfo',
  frame: 'browse',
  load: async () => (await import('./UserInfoPage.tsx')).UserInfoPage,
})

export const pages = [userInfo]
