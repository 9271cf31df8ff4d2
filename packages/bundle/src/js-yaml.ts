import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
/** Loaded on first use: it would slow down every start. */
export const jsYaml = () => load('js-yaml') as typeof import('js-yaml')
