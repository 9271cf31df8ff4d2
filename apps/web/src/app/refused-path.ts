import { boot } from '../shared/boot.ts'

/** Path for which the server denied access when it sent the page; other paths of this visit are accessible. */
const refused = boot.common['no_access'] === true ? location.pathname : null

export const isRefusedPath = (path: string): boolean => path === refused
